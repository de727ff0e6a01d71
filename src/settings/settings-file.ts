// Reads the settings file: JSON, in which `{lists: {max: 5}}` and `{"lists.max": 5}` mean the same.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { findJsonFault, findRepeatedName } from './json-fault.ts';
import type { SettingName } from './settings.ts';

export const CONFIG_FILE = 'prepress.config.json';

export type SettingsFile = {
  readonly path: string;
  /** Names as they stand there, also those of no setting. */
  readonly values: ReadonlyMap<string, unknown>;
};

/** Absolute path of the settings file; without a name, that of the working folder. */
export const settingsPathOf = (file: string | undefined): string => resolve(file ?? CONFIG_FILE);

/** A file that was named must exist. Throws CONFIG_INVALID. */
export const readSettingsFile = (file: string | undefined): SettingsFile => {
  const path = settingsPathOf(file);
  if (!existsSync(path)) {
    if (file === undefined) return { path, values: new Map() };
    throw new PrepressError('CONFIG_INVALID', `There is no settings file at ${path}.`);
  }
  const settings = parseJson(path);
  if (!isObject(settings)) {
    throw new PrepressError('CONFIG_INVALID', `${path} must hold one JSON object of settings.`);
  }
  return { path, values: new Map(flatten(settings, '')) };
};

const parseJson = (path: string): unknown => {
  const text = readText(path);
  try {
    const value: unknown = JSON.parse(text);
    throwIfRepeated(path, text);
    return value;
  } catch (cause) {
    if (cause instanceof PrepressError) throw cause;
    const fault = findJsonFault(text);
    const sentence = `${path} is not valid JSON`;
    if (fault === null) throw new PrepressError('CONFIG_INVALID', `${sentence}.`, { cause });
    const { line, column, expected } = fault;
    const found = fault.found === '' ? 'the file ends' : `found ${JSON.stringify(fault.found)}`;
    const reason = `line ${line}, column ${column}: expected ${expected}, ${found}`;
    throw new PrepressError('CONFIG_INVALID', `${sentence}: ${reason}.`, { cause });
  }
};

const throwIfRepeated = (path: string, text: string): void => {
  const repeated = findRepeatedName(text);
  if (repeated === null) return;
  const { line, name } = repeated;
  const sentence = `${path} names ${JSON.stringify(name)} a second time in line ${line}.`;
  throw new PrepressError('CONFIG_INVALID', sentence);
};

const readText = (path: string): string => {
  try {
    const text = readFileSync(path, 'utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new PrepressError('CONFIG_INVALID', `${path} cannot be read (${code}).`, { cause });
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings whose value may be an object; any other object holds settings. */
const OBJECTS: readonly string[] = ['deploy'] satisfies SettingName[];

const flatten = (object: Readonly<Record<string, unknown>>, prefix: string): [string, unknown][] =>
  Object.entries(object).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) && Object.keys(value).length > 0 && !OBJECTS.includes(prefix + key)
      ? flatten(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, value]],
  );
