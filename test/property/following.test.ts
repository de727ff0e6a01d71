// However a source is edited, and whenever it is looked at, left, imported and followed again: what is followed is what an import of it into an empty
// publication would be, table by table.
import { expect, test } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { createKnownTables } from '../../src/publication/follow/known-tables.ts';
import { syncOnce } from '../../src/publication/follow/sync-once.ts';
import { importSource } from '../../src/publication/import/import-source.ts';
import { GHOST_TABLES } from '../../src/publication/import/intake/ghost-tables.ts';
import { openGhostSqlite } from '../../src/publication/sources/ghost-sqlite/source.ts';
import { beginFollowing, endFollowing } from '../../src/publication/store/import/following.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { editGhost } from '../helpers/ghost-edits.ts';
import { OF_THE_PAST, openGhostFile, placeGhostDatabase } from '../helpers/ghost-shell.ts';
import { createPublication, type Publication } from '../helpers/publication.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const EDITS = 25;

const follow = (store: Store): Promise<unknown> =>
  store.write((tx) => beginFollowing(tx, { source: 'ghost', now: 0 }));

const importAll = async (store: Store, path: string): Promise<void> => {
  const source = openGhostSqlite(path);
  await importSource(store, source);
  await source.close();
};

/** `given`: ids of the publication, by those that stand for them here. */
const dump = ({ shell }: Publication, given: ReadonlyMap<string, string> = new Map()) =>
  Object.fromEntries(
    GHOST_TABLES.map(({ into }) => {
      const rows = shell.prepare(`SELECT * FROM ${into} ORDER BY id`).all();
      const lines = rows.map((row) =>
        JSON.stringify(row).replace(/[0-9a-f]{24}/g, (id) => given.get(id) ?? id),
      );
      return [into, lines.sort()];
    }),
  );

/** Makes ids of what the source has anew, where rows are found by other columns; returns those before. */
const importBefore = async (
  { store, shell }: Publication,
  path: string,
): Promise<Map<string, string>> => {
  await importAll(store, path);
  const given = new Map<string, string>();
  const renew = (into: string, id: string): void => {
    const own = createId(given.size);
    given.set(own, id);
    const set = (table: string, column: string): void =>
      void shell.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(own, id);
    set(into, 'id');
    for (const { into: table, references = [] } of GHOST_TABLES)
      for (const { column, table: to, key } of references)
        if (to === into && key === undefined) set(table, column);
  };
  shell.transaction(() => {
    shell.exec('PRAGMA defer_foreign_keys = ON');
    for (const { into } of GHOST_TABLES.filter(({ matches }) => matches))
      for (const id of shell.prepare(`SELECT id FROM ${into}`).pluck().all())
        renew(into, String(id));
  })();
  return given;
};

test.each([
  ['into an empty publication', async () => new Map()],
  ['over its import under other ids', importBefore],
])(`what is followed %s equals an import (seed ${SEED})`, async (_name, prepare) => {
  const path = placeGhostDatabase(temporaryFolder());
  const shell = openGhostFile(path);
  await shell.commit([OF_THE_PAST]);
  const source = openGhostSqlite(path);
  const followed = await createPublication();
  const given = await prepare(followed, path);
  await follow(followed.store);
  const random = createRandom(SEED);
  const known = createKnownTables();
  expect(await syncOnce({ store: followed.store, source, known })).not.toBeNull();
  expect(await syncOnce({ store: followed.store, source, known })).toBeNull();
  const made: string[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    made.push(await editGhost(shell, random));
    if (random() < 0.5) continue;
    await syncOnce({ store: followed.store, source, known });
    if (random() < 0.2) {
      await followed.store.write((tx) => endFollowing(tx, 1));
      await importAll(followed.store, path);
      await syncOnce({ store: followed.store, source, known }, { begins: true });
    }
    const imported = await createPublication();
    await importAll(imported.store, path);
    expect(dump(followed, given), made.slice(-5).join(', ')).toEqual(dump(imported));
    made.length = 0;
  }
  await shell.close();
  await source.close();
});
