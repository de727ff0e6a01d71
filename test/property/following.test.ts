// However a source is edited, and whenever it is looked at: what is followed is what an import of it into an empty
// publication would be, table by table.
import { expect, test } from 'vitest';
import { createKnownTables } from '../../src/publication/follow/known-tables.ts';
import { syncOnce } from '../../src/publication/follow/sync-once.ts';
import { importSource } from '../../src/publication/import/import-source.ts';
import { GHOST_TABLES } from '../../src/publication/import/intake/ghost-tables.ts';
import { openGhostSqlite } from '../../src/publication/sources/ghost-sqlite/source.ts';
import { beginFollowing } from '../../src/publication/store/import/following.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { editGhost } from '../helpers/ghost-edits.ts';
import { OF_THE_PAST, openGhostFile, placeGhostDatabase } from '../helpers/ghost-shell.ts';
import { createPublication, type Publication } from '../helpers/publication.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const EDITS = 25;

const follow = (store: Store): Promise<unknown> =>
  store.write((tx) => beginFollowing(tx, { source: 'ghost', now: 0 }));

const dump = ({ shell }: Publication): Record<string, unknown[]> =>
  Object.fromEntries(
    GHOST_TABLES.map(({ into }) => [
      into,
      shell.prepare(`SELECT * FROM ${into} ORDER BY id`).all(),
    ]),
  );

test(`what is followed equals an import (seed ${SEED})`, async () => {
  const path = placeGhostDatabase(temporaryFolder());
  const shell = openGhostFile(path);
  await shell.commit([OF_THE_PAST]);
  const source = openGhostSqlite(path);
  const followed = await createPublication();
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
    const imported = await createPublication();
    const fresh = openGhostSqlite(path);
    await importSource(imported.store, fresh);
    await fresh.close();
    expect(dump(followed), made.slice(-5).join(', ')).toEqual(dump(imported));
    made.length = 0;
  }
  await shell.close();
  await source.close();
});
