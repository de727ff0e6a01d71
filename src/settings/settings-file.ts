// Reads the settings file: JSON, in which `{lists: {max: 5}}` and `{"lists.max": 5}` mean the same.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { AS_OWNER } from '../base/files/as-owner.ts';
import { readError } from '../base/files/read-fault.ts';
import { JsonFault, type JsonPlace, lineAt, placeValues } from '../base/text/json-places.ts';
import { isJsonObject } from '../base/text/json-value.ts';
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
  if (!isJsonObject(settings)) {
    throw new PrepressError('CONFIG_INVALID', `${path} must hold one JSON object of settings.`);
  }
  return { path, values: new Map(flatten(settings, '')) };
};

const parseJson = (path: string): unknown => {
  const text = readText(path);
  const place = placesOf(path, text);
  const repeated = findRepeated(place, '', new Set());
  if (repeated === null) return JSON.parse(text);
  const { line } = lineAt(text, repeated.at);
  const name = JSON.stringify(repeated.name);
  throw new PrepressError('CONFIG_INVALID', `${path} names ${name} a second time in line ${line}.`);
};

const placesOf = (path: string, text: string): JsonPlace => {
  try {
    return placeValues(text);
  } catch (cause) {
    const sentence = `${path} is not valid JSON`;
    if (!(cause instanceof JsonFault)) {
      throw new PrepressError('CONFIG_INVALID', `${sentence}.`, { cause });
    }
    const { line, column } = lineAt(text, cause.at);
    const [unit] = text.slice(cause.at, cause.at + 2);
    const found = unit === undefined ? 'the file ends' : `found ${JSON.stringify(unit)}`;
    const reason = `line ${line}, column ${column}: expected ${cause.expected}, ${found}`;
    throw new PrepressError('CONFIG_INVALID', `${sentence}: ${reason}.`);
  }
};

/** The first name that stands twice in an object, whether it is nested or written with dots: `lists.max`. */
const findRepeated = (
  { members, items }: JsonPlace,
  prefix: string,
  seen: Set<string>,
): { name: string; at: number } | null => {
  for (const member of members ?? []) {
    const name = prefix + member.name;
    if (seen.has(name)) return { name, at: member.start };
    seen.add(name);
    const inner = findRepeated(member.place, `${name}.`, seen);
    if (inner !== null) return inner;
  }
  // Each item is an object of its own.
  for (const item of items ?? []) {
    const inner = findRepeated(item, `${prefix}${item.start}.`, seen);
    if (inner !== null) return inner;
  }
  return null;
};

const readText = (path: string): string => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw readError(path, cause, { code: 'CONFIG_INVALID', closed: AS_OWNER });
  }
  if (UTF_16_MARKS.has(bytes.toString('hex', 0, 2))) {
    const hint = 'Save it as UTF-8: PowerShell and some editors write UTF-16.';
    throw new PrepressError('CONFIG_INVALID', `${path} is not text in UTF-8.`, { hint });
  }
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
};

/** Byte-order marks. */
const UTF_16_MARKS: ReadonlySet<string> = new Set(['fffe', 'feff']);

/** Settings whose value may be an object; any other object holds settings. */
const OBJECTS: readonly string[] = ['deploy', 'media'] satisfies SettingName[];

const flatten = (object: Readonly<Record<string, unknown>>, prefix: string): [string, unknown][] =>
  Object.entries(object).flatMap(([key, value]): [string, unknown][] =>
    isJsonObject(value) && Object.keys(value).length > 0 && !OBJECTS.includes(prefix + key)
      ? flatten(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, value]],
  );
