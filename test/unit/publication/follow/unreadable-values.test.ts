// Each column of each table of a source that is followed, with values that cannot be read: the record stays, and row and
// column are named where a document shows them; elsewhere nothing fails.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import {
  factsFor,
  GHOST_TABLES,
  wantedTables,
} from '../../../../src/publication/import/intake/ghost-tables.ts';
import { parseId } from '../../../../src/publication/import/intake/normalise-row.ts';
import { openGhostSqlite } from '../../../../src/publication/sources/ghost-sqlite/source.ts';
import {
  type Column,
  describeTables,
} from '../../../../src/publication/store/import/import-rows.ts';
import { RECORD_COLUMNS } from '../../../../src/publication/tables/record-columns.ts';
import { findLogged } from '../../../../src/publication/tables/record-tables.ts';
import { listUnread } from '../../../../src/publish/build/set-aside/broken-rows.ts';
import { makeGhostDatabase, openGhost } from '../../../helpers/ghost-database.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const ZERO = '0000-00-00 00:00:00';
const BYTES = Buffer.from([0, 255]);

/** What a column of that kind cannot hold. */
const badValues = ({ name, kind }: Column): unknown[] => {
  if (kind === 'integer') return [1e300];
  return /_(?:at|start|end|date|seen)$/.test(name) ? [ZERO] : [BYTES];
};

/** Without these nobody knows who may see the record, so that it is absent. */
const DECIDE = ['posts.status', 'posts.visibility', 'posts_meta.email_only', 'tags.visibility'];

type Case = { readonly table: string; readonly id: string; readonly column: string };
type Bad = Case & { readonly value: unknown };

/** Of the first row of each table that has one. */
const listCases = (ghost: SqliteConnection, columns: ReadonlyMap<string, readonly Column[]>) => {
  const cases: Bad[] = [];
  for (const { table, columns: wanted = [] } of wantedTables(columns)) {
    const facts = factsFor(table);
    const first = ghost.prepare(`SELECT id FROM "${table}" ORDER BY id`).pluck().get();
    if (facts === undefined || first === undefined) continue;
    const present = ghost.pragma(`table_info("${table}")`) as { name: string }[];
    for (const column of wanted) {
      if (column === 'id') continue;
      if (!present.some(({ name }) => name === column)) {
        ghost.exec(`ALTER TABLE "${table}" ADD COLUMN "${column}"`);
      }
      const ours = columns.get(facts.into)?.find(({ name }) => {
        return name === (facts.renames?.[column] ?? column);
      });
      const words = facts.values?.[column] === undefined ? [] : ['a word of no meaning'];
      const empty = facts.unique?.some((names) => names.includes(column)) ? [''] : [];
      if (ours === undefined) throw new Error(`${table}.${column} is none of ours`);
      for (const value of [...badValues(ours), ...words, ...empty]) {
        cases.push({ table, id: String(first), column, value });
      }
    }
  }
  return cases;
};

const isInDocument = ({ table, column }: Case): boolean => {
  const facts = factsFor(table);
  const ours = facts?.renames?.[column] ?? column;
  const uses = RECORD_COLUMNS as Readonly<
    Record<string, Readonly<Record<string, { readonly reads: unknown }>>>
  >;
  const isOwner = facts?.references?.some((reference) => reference.column === ours);
  const isShown = findLogged(facts?.into ?? '')?.shows !== undefined;
  if (!isShown || column === 'sort_order' || column === 'newsletter_id') return false;
  if (`${table}.${column}` === 'posts_meta.email_only') return true;
  return isOwner === true || (uses[facts?.into ?? '']?.[ours]?.reads ?? null) !== null;
};

const createScene = async () => {
  const { store, shell } = await createPublication();
  const columns = await describeTables(store);
  const { ghost, source } = openGhost();
  ghost.exec("UPDATE posts SET updated_at = '2024-01-01 10:00:00'");
  const cases = listCases(ghost, columns);
  await syncOnce({ store, source }, { begins: true });
  const look = () => syncOnce({ store, source });
  const named = (): string[] => {
    const snapshot = store.snapshot();
    const unread = listUnread(snapshot, 'ghost');
    snapshot.close();
    return unread.flatMap(({ table, id, problems }) =>
      problems.map(({ field }) => `${table} ${id} ${field.replace(/ of .*/, '')}`),
    );
  };
  const dump = (): Map<string, string> =>
    new Map(
      GHOST_TABLES.map(({ into }) => [
        into,
        JSON.stringify(shell.prepare(`SELECT * FROM "${into}" ORDER BY id`).all()),
      ]),
    );
  /** Rows of a table that documents, or the desk, can show. */
  const count = (table: string): unknown => {
    const into = factsFor(table)?.into;
    const shown = 'SELECT count(*) FROM posts p LEFT JOIN posts_meta m ON m.post_id = p.id';
    const sql = table.startsWith('posts')
      ? `${shown} WHERE p.status = 'published' AND ifnull(m.email_only, 0) = 0`
      : `SELECT count(*) FROM "${into}"`;
    return shell.prepare(sql).pluck().get();
  };
  return { ghost, look, named, dump, count, cases };
};

/** Ghost changes a body of a post together with its time. */
const touched = ({ table, column }: Case, number: number): string =>
  table === 'posts' && column !== 'updated_at'
    ? `, updated_at = '2024-01-02 10:${String(number % 60).padStart(2, '0')}:00'`
    : '';

const spell = ({ table, column, value }: Bad): string =>
  `${table}.${column} = ${value instanceof Buffer ? 'bytes' : JSON.stringify(value)}`;

test('no value that cannot be read takes a record away or stays unsaid', async () => {
  const { ghost, look, named, dump, count, cases } = await createScene();
  expect(cases.length).toBeGreaterThan(250);
  const before = dump();
  const rows = new Map(cases.map(({ table }) => [table, count(table)]));
  const faults: string[] = [];
  for (const [number, one] of cases.entries()) {
    const { table, id, column, value } = one;
    const restore = prepareRestore(ghost, one);
    const set = `SET "${column}" = ?${touched(one, number)}`;
    ghost.prepare(`UPDATE "${table}" ${set} WHERE id = ?`).run(value, id);
    const report = await look();
    const said = [...(report?.leftOut ?? []), ...(report?.skipped ?? [])].map(
      (left) => `${left.table} ${left.id} ${left.field}`,
    );
    const name = `${table} ${parseId(id)} ${column}`;
    const expected = isInDocument(one) ? name : '';
    if (named().join() !== expected) faults.push(`${spell(one)}: named ${named().join()}`);
    if (!said.includes(name)) faults.push(`${spell(one)}: unsaid`);
    const isHidden = DECIDE.includes(`${table}.${column}`);
    const isLost = count(table) !== rows.get(table);
    if (isLost !== isHidden) faults.push(`${spell(one)}: ${isLost ? 'lost' : 'shown'}`);
    restore();
    // What is absent stays so until all of its row can be read.
    if (isHidden) await look();
  }
  await look();
  expect(faults).toEqual([]);
  expect(named()).toEqual([]);
  expect(dump()).toEqual(before);
});

test('a first import takes all rows that documents show, without what no document shows', async () => {
  const { store, shell } = await createPublication();
  const file = join(temporaryFolder(), 'ghost.db');
  const ghost = makeGhostDatabase(file);
  const all = listCases(ghost, await describeTables(store));
  const cases = all.filter((one) => {
    const isOfDocument = findLogged(factsFor(one.table)?.into ?? '')?.shows !== undefined;
    return isOfDocument && !isInDocument(one) && !(one.value instanceof Buffer);
  });
  const source = openGhostSqlite(file);
  const clean = await importSource((await createPublication()).store, source);
  for (const { table, column, value } of cases) {
    ghost.prepare(`UPDATE "${table}" SET "${column}" = ?`).run(value);
  }
  ghost.exec("UPDATE users SET email = x'00'; UPDATE benefits SET slug = ''");
  const report = await importSource(store, source);
  ghost.close();
  await source.close();
  expect(report.skipped).toEqual(clean.skipped);
  const values = new Set(report.leftOut.map(({ table, field }) => `${table}.${field}`));
  const expected = cases.map(({ table, column }) => `${table}.${column}`);
  expect([...values].sort()).toEqual([...new Set([...expected, 'users.email'])].sort());
  const emails = shell.prepare('SELECT email FROM users ORDER BY id').pluck().all();
  expect(emails).toEqual(expect.arrayContaining([`${'1'.padStart(24, '0')}@example.invalid`]));
});

const prepareRestore = (ghost: SqliteConnection, { table, id }: Case) => {
  const row = ghost.prepare(`SELECT * FROM "${table}" WHERE id = ?`).get(id) as object;
  const names = Object.keys(row).map((name) => `"${name}" = ?`);
  const update = ghost.prepare(`UPDATE "${table}" SET ${names.join(', ')} WHERE id = ?`);
  return () => update.run(...Object.values(row), id);
};

test('an id that is empty, or that is there as a text and as bytes, is named and stops no look', async () => {
  const { ghost, source } = openGhost();
  const { store } = await createPublication();
  const copyOf = (id: unknown) => {
    ghost.exec('CREATE TEMP TABLE one AS SELECT * FROM tags ORDER BY id LIMIT 1');
    ghost.prepare("UPDATE one SET id = ?, slug = 'x' || hex(?)").run(id, id);
    ghost.exec('INSERT INTO tags SELECT * FROM one; DROP TABLE one');
  };
  const [known] = ghost.prepare('SELECT id FROM tags ORDER BY id').pluck().all();
  await syncOnce({ store, source }, { begins: true });
  copyOf('');
  copyOf(Buffer.from(String(known)));
  const report = await syncOnce({ store, source });
  expect(report?.skipped).toMatchObject([{ table: 'tags', id: '', field: 'id' }]);
  expect(await syncOnce({ store, source })).toBeNull();
  const snapshot = store.snapshot();
  onTestFinished(() => snapshot.close());
  expect(listUnread(snapshot, 'interface')).toMatchObject([{ table: 'tags', id: '' }]);
});
