// Debian's Chromium, with what it needs on a machine without a network and without a display.
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { findProgram } from '../matrix/program.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Else a player's sound leaves a folder of PulseAudio behind.
  '--disable-audio-output',
];

/** The caller closes it. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findProgram('chromium'), args: FLAGS });

/** For the tests of one `describe`. */
export const launchChromium = (): (() => Browser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  return () => browser;
};
