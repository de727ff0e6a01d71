// Writes declared queries into the settings file. All else in it stays; the file is made when it is absent. Where the
// setting comes from elsewhere, the file would count for nothing, and that is said instead.
import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { PrepressError } from '../base/errors.ts';
import { declaredQueries, declareQuery } from '../config/declared-queries.ts';
import type { Config } from '../config/settings.ts';
import { readSettingsFile } from '../config/settings-file.ts';
import type { DeclaredQuery } from '../paths/declared-queries.ts';

/** Throws CONFIG_INVALID for a file that cannot be read, VALIDATION for one that cannot be written or counts for nothing. */
export const declareInFile = (
  path: string,
  queries: readonly DeclaredQuery[],
  config: Pick<Config, 'queries' | 'lists.max'>,
): void => {
  const written = readWritten(path);
  const read = declaredQueries.safeParse(written);
  if (!read.success || JSON.stringify(read.data) !== JSON.stringify(config.queries)) {
    throw new PrepressError(
      'VALIDATION',
      `The setting queries does not come from ${path}: change it where it comes from, the environment or the options of the plugin.`,
      { property: 'queries' },
    );
  }
  const isReplaced = (at: number): boolean => {
    const query = read.data[at];
    const old = query === undefined ? null : declareQuery(query, config['lists.max']);
    return queries.some((one) => one.resource === old?.resource && one.name === old.name);
  };
  const kept = written.filter((_item, at) => !isReplaced(at));
  writeQueries(path, [...kept, ...queries.map(settingOf)]);
};

const readWritten = (path: string): readonly unknown[] => {
  if (!existsSync(path)) return [];
  const value = readSettingsFile(path).values.get('queries') ?? [];
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(list) ? list : [];
};

/** As the settings file has it. */
const settingOf = ({ resource, parameters, pages }: DeclaredQuery): Record<string, unknown> => ({
  resource,
  ...Object.fromEntries(
    parameters.map(([name, value]) => [name, name === 'limit' ? Number(value) : value]),
  ),
  ...(pages !== 1 && { pages }),
});

const writeQueries = (path: string, queries: readonly unknown[]): void => {
  try {
    const text = existsSync(path) ? readFileSync(path, 'utf8').replace(/^\ufeff/, '') : '{}';
    const settings = { ...(JSON.parse(text) as object), queries };
    const [, indent = '  '] = /^\{\r?\n([ \t]+)"/.exec(text) ?? [];
    replaceFile(path, `${JSON.stringify(settings, null, indent)}\n`);
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    const sentence = `The settings file ${path} cannot be written (${code}): declare the queries where it is made.`;
    throw new PrepressError('VALIDATION', sentence, { property: 'queries', cause });
  }
};

/** Whole, with the rights that it has, and where links lead to. */
const replaceFile = (path: string, text: string): void => {
  if (!existsSync(path)) {
    writeFileSync(path, text, { flush: true });
    return;
  }
  const place = realpathSync(path);
  const draft = `${place}.${process.pid}.new`;
  try {
    writeFileSync(draft, text, { flush: true });
    chmodSync(draft, statSync(place).mode);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    // A file that a container was given by itself cannot be replaced.
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    writeFileSync(place, text, { flush: true });
  }
};
