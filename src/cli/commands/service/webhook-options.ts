// What the options of `webhooks create` say of a webhook's own headers, body and preset. Secrets come from environment variables:
// a command line is seen by every user of the machine.
import { readFileSync } from 'node:fs';
import { PrepressError } from '../../../base/errors.ts';
import { readFault } from '../../../base/files/read-fault.ts';
import {
  lowered,
  WEBHOOK_PRESET_NAMES,
  WEBHOOK_PRESETS,
} from '../../../serve/contract/webhook-presets.ts';
import { findVariable } from '../../../settings/environment-value.ts';

type Options = Readonly<Record<string, unknown>>;

/** Throws USAGE. */
export const readWebhookOptions = ({ preset, token, header, body }: Options): object => ({
  ...(preset !== undefined && { preset: readPreset(String(preset), token) }),
  ...(token !== undefined && { token: readVariable('--token', String(token)) }),
  ...(Array.isArray(header) && { headers: Object.fromEntries(header.map(readHeader)) }),
  ...(body !== undefined && { body: readTemplate(String(body)) }),
});

const readPreset = (preset: string, token: unknown): string => {
  const found = WEBHOOK_PRESETS.find(({ name }) => name === preset);
  if (found === undefined) {
    throw usage(`--preset is one of ${WEBHOOK_PRESET_NAMES.join(', ')}, got "${preset}".`);
  }
  if (found.token === null || token !== undefined) return preset;
  throw usage(
    `--preset ${preset} needs --token with the name of an environment variable, such as HOOK_TOKEN. Its value is ${lowered(found.token)}.`,
  );
};

const readHeader = (option: unknown): [name: string, value: string] => {
  const [, name, variable] = /^([^=]+)=(.+)$/.exec(String(option)) ?? [];
  if (name === undefined || variable === undefined) {
    throw usage('--header must be a name and an environment variable, such as X-Token=HOOK_TOKEN.');
  }
  // What follows a colon may be the secret itself.
  return [name, readVariable(`--header ${name.split(':', 1)}`, variable)];
};

const readVariable = (option: string, name: string): string => {
  const value = findVariable(name);
  if (value !== undefined) return value;
  // What was given may be the secret itself.
  throw usage(
    `${option} names no environment variable that is set. Set one first, such as with "export HOOK_TOKEN=...", and give its name.`,
  );
};

const readTemplate = (path: string): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw usage(`--body: ${readFault(path, cause)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw usage(
      `--body: ${path} is not JSON. Write placeholders inside texts, as in {"title": "{{title}}"}.`,
    );
  }
};

const usage = (sentence: string): PrepressError => new PrepressError('USAGE', sentence);
