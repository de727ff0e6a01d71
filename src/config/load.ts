// Reads the settings once: flags before environment before prepress.config.json before defaults. The
// only reader of the environment.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import {
  type Config,
  environmentName,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from './settings.ts';

export const CONFIG_FILE = 'prepress.config.json';

type LoadOptions = {
  /** Settings named on the command line. */
  readonly flags?: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Path of the file; a file that was named must exist. */
  readonly file?: string | undefined;
};

/** Throws CONFIG_INVALID naming the setting and where it came from. */
export const loadConfig = (options: LoadOptions = {}): Config => {
  const environment = options.environment ?? process.env;
  const fromFile = readConfigFile(options.file);
  const entries = SETTING_NAMES.map((name) => {
    const variable = environmentName(name);
    const sources: [string, unknown][] = [
      [flagName(name), options.flags?.[name]],
      [variable, environment[variable]],
      [options.file ?? CONFIG_FILE, fromFile.get(name)],
    ];
    const [source, value] = sources.find(([, given]) => given !== undefined) ?? ['', undefined];
    const parsed = SETTINGS[name].schema.safeParse(value);
    if (!parsed.success) {
      const reason = parsed.error.issues[0]?.message ?? 'is not valid';
      throw new PrepressError('CONFIG_INVALID', `Setting ${name} (${source}): ${reason}.`, {
        property: name,
      });
    }
    return [name, parsed.data];
  });
  return Object.freeze(Object.fromEntries(entries)) as Config;
};

/** The option of a setting on the command line: `siteUrl` is --site-url. */
const flagName = (name: SettingName): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const readConfigFile = (file: string | undefined): Map<string, unknown> => {
  const path = resolve(file ?? CONFIG_FILE);
  if (!existsSync(path)) {
    if (file === undefined) return new Map();
    throw new PrepressError('CONFIG_INVALID', `There is no settings file at ${path}.`);
  }
  const values = flatten(parseJson(path), '');
  const unknown = [...values.keys()].find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined) {
    throw new PrepressError(
      'CONFIG_INVALID',
      `${path} names a setting that does not exist: ${unknown}.`,
      {
        property: unknown,
      },
    );
  }
  return values;
};

const parseJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new PrepressError('CONFIG_INVALID', `${path} is not readable JSON.`, { cause });
  }
};

/** `{lists: {posts: {limit: 5}}}` and `{"lists.posts.limit": 5}` say the same. */
const flatten = (value: unknown, prefix: string): Map<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map([[prefix.slice(0, -1), value]]);
  }
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, `${prefix}${key}.`)]),
  );
};
