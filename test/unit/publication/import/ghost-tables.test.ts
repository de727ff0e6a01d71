import { expect, test } from 'vitest';
import { GHOST_TABLES } from '../../../../src/publication/import/intake/ghost-tables.ts';
import { describeTables } from '../../../../src/publication/store/import/import-rows.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('the facts name tables and columns that exist, parents before children', async () => {
  const { store } = await createPublication();
  const columns = await describeTables(store);
  const written: string[] = [];
  for (const facts of GHOST_TABLES) {
    const names = columns.get(facts.into)?.map(({ name }) => name) ?? [];
    const used = [
      ...Object.values(facts.renames ?? {}),
      ...(facts.references ?? []).map(({ column }) => column),
      ...(facts.unique ?? []).flat(),
      ...(facts.json ?? []),
      ...Object.keys(facts.values ?? {}),
    ];
    for (const name of used) expect(names, `${facts.into}.${name}`).toContain(name);
    expect(facts.unique?.length ?? 0).toBeLessThanOrEqual(3);
    for (const { table } of facts.references ?? []) expect(written).toContain(table);
    written.push(facts.into);
  }
  expect(new Set(written).size).toBe(written.length);
});

test('the facts name every unique set and every reference that the database has', async () => {
  const { shell } = await createPublication();
  for (const facts of GHOST_TABLES) {
    const indexes = shell
      .prepare(`SELECT name FROM pragma_index_list('${facts.into}') WHERE origin = 'u'`)
      .pluck()
      .all() as string[];
    const unique = indexes.map((index) =>
      shell.prepare(`SELECT name FROM pragma_index_info('${index}')`).pluck().all(),
    );
    for (const set of unique) expect(facts.unique, facts.into).toContainEqual(set);
    const references = shell
      .prepare(`SELECT "from", "table" FROM pragma_foreign_key_list('${facts.into}')`)
      .all() as { from: string; table: string }[];
    for (const { from, table } of references) {
      expect(facts.references, `${facts.into}.${from}`).toContainEqual(
        expect.objectContaining({ column: from, table }),
      );
    }
  }
});
