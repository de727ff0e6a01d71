// The hosts that the tests of one file ask: started before them, each once, on publications that are built once for each base
// path and selection, and ended after them.
import { afterAll, beforeAll } from 'vitest';
import type { Selection } from '../../src/content/paths/selection.ts';
import { type Ask, askAt } from './ask.ts';
import { type RunningCompanion, startCompanion } from './companion-process.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';

export type HostUnderTest = {
  /** Of the table of differences. */
  readonly title: string;
  readonly site: MatrixSite;
  readonly ask: Ask;
};

/** What answers, and how to end it. */
export type Started = ({ readonly port: number } | { readonly ask: Ask }) & {
  readonly end?: (() => unknown) | undefined;
};

export type Configuration<Host extends Started = Started> = {
  readonly title: string;
  readonly basePath?: string;
  readonly selection?: Selection | undefined;
  /** `companion` is the companion server of the site; it is started when it is first asked for. */
  readonly start: (
    site: MatrixSite,
    companion: () => Promise<RunningCompanion>,
  ) => Host | Promise<Host>;
};

type Build = (basePath?: string, selection?: Selection) => Promise<MatrixSite>;

/** Returns what gives the running hosts, in the order of the configurations; it is called inside of tests only. */
export const startHosts = <Host extends Started>(
  configurations: readonly Configuration<Host>[],
  build: Build = buildMatrixSite,
): (() => readonly (HostUnderTest & Omit<Host, 'ask'>)[]) => {
  const sites = new Map<string, MatrixSite>();
  const companions = new Map<MatrixSite, RunningCompanion>();
  const hosts: (HostUnderTest & Omit<Host, 'ask'>)[] = [];
  const companionOf = async (site: MatrixSite): Promise<RunningCompanion> => {
    const companion = companions.get(site) ?? (await startCompanion(site));
    companions.set(site, companion);
    return companion;
  };
  beforeAll(async () => {
    for (const { title, basePath = '', selection, start } of configurations) {
      const key = JSON.stringify([basePath, selection]);
      const site = sites.get(key) ?? (await build(basePath, selection));
      sites.set(key, site);
      const started = await start(site, () => companionOf(site));
      const ask = 'port' in started ? askAt(started.port) : started.ask;
      hosts.push({ ...started, title: `${title}${basePath && ` at ${basePath}`}`, site, ask });
    }
  });
  afterAll(async () => {
    for (const { end } of hosts.toReversed()) await end?.();
    for (const companion of companions.values()) await companion.end();
    for (const site of sites.values()) site.remove();
  });
  return () => hosts;
};
