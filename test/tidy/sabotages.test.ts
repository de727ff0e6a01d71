// The table of sabotages against the project as it is: a text that does not stand exactly once breaks nothing, and a watch
// that is gone keeps none.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editsOf, PROMISES, type Row } from '../sabotage/row.ts';
import { ROWS } from '../sabotage/rows.ts';
import { ROOT, readText } from './source-files.ts';

const exists = (path: string): boolean => existsSync(join(ROOT, path));

const findFaults = (row: Row): readonly string[] => {
  const { name, watch, test: title } = row;
  const edits = editsOf(row).flatMap(({ file, replace }) => {
    if (!exists(file)) return [`${name}: there is no ${file}`];
    const times = readText(file).split(replace).length - 1;
    return times === 1 ? [] : [`${name}: ${file} holds ${times} times: ${replace}`];
  });
  if (!exists(watch)) return [...edits, `${name}: there is no ${watch}`];
  const isTitled = title === undefined || readText(watch).includes(title);
  return isTitled ? edits : [...edits, `${name}: ${watch} has no test named: ${title}`];
};

test('every sabotage replaces a text that stands exactly once, and has its watch', () => {
  expect(ROWS.flatMap(findFaults)).toEqual([]);
});

test('every row has a name of its own', () => {
  const names = ROWS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('every promise stands in its document, and is held by a row', () => {
  const held = new Set<string>(ROWS.map(({ holds }) => holds));
  const faults = Object.entries(PROMISES).filter(([key, words]) => {
    const text = readText(`docs/${key.split('/')[0]}.md`).replace(/\s+/g, ' ');
    return !text.includes(words) || !held.has(key);
  });
  expect(faults).toEqual([]);
});
