// What the options of `webhooks create` say of a webhook's own headers, body and preset. Secrets come from environment variables:
// a command line is seen by every user of the machine.
import { readFileSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { findVariable } from '../../settings/environment-value.ts';

type Options = Readonly<Record<string, unknown>>;

/** Throws USAGE. */
export const readWebhookOptions = ({ preset, token, header, body }: Options): object => ({
  ...(preset !== undefined && { preset }),
  ...(token !== undefined && { token: readVariable('--token', String(token)) }),
  ...(Array.isArray(header) && { headers: Object.fromEntries(header.map(readHeader)) }),
  ...(body !== undefined && { body: readTemplate(String(body)) }),
});

const readHeader = (option: unknown): [name: string, value: string] => {
  const [, name, variable] = /^([^=]+)=(.+)$/.exec(String(option)) ?? [];
  if (name === undefined || variable === undefined) {
    throw usage('--header takes a name and an environment variable, such as X-Token=HOOK_TOKEN.');
  }
  return [name, readVariable(`--header ${name}`, variable)];
};

const readVariable = (option: string, name: string): string => {
  const value = findVariable(name);
  if (value !== undefined) return value;
  // What was given may be the secret itself.
  throw usage(
    `${option} takes the name of an environment variable that holds the value; there is none of that name.`,
  );
};

const readTemplate = (path: string): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usage(`The body template ${path} cannot be read (${code}).`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw usage(
      `The body template ${path} is not JSON; write placeholders inside texts, as in {"title": "{{title}}"}.`,
    );
  }
};

const usage = (sentence: string): PrepressError => new PrepressError('USAGE', sentence);
