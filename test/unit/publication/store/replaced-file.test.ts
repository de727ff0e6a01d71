import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createId } from '../../../../src/base/ids.ts';
import { driverFor, loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { db } from '../../../../src/publication/store/db.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import { openPublication } from '../../../../src/publication/store/sqlite/publication-connections.ts';
import { ReplaceablePublication } from '../../../../src/publication/store/sqlite/replaceable-publication.ts';
import type { Store } from '../../../../src/publication/store/store.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('a file that is gone ends no program, also where nobody waits for it to be opened', async () => {
  const { path, store } = await createPublication();
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  rmSync(path);
  void store.reopenIfReplaced();
  // Node.js looks for them once the queue of promises is empty.
  await new Promise<void>((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
  await expect(store.reopenIfReplaced()).rejects.toMatchObject({ code: 'DATABASE_MISSING' });
});

/** A store, and a whole copy of its file elsewhere, with one tag more. */
const openWithCopy = async () => {
  const { folder, path, store, shell, insert } = await createPublication();
  insert('tags', { slug: 'old' });
  const copy = join(folder, 'copy.db');
  shell.prepare('VACUUM INTO ?').run(copy);
  const other = new (loadDriver())(copy);
  other.exec("UPDATE tags SET slug = 'restored'");
  other.close();
  return { folder, path, store, shell, copy };
};

const slugs = async (store: Store): Promise<string[]> =>
  (await db(store).selectFrom('tags').select('slug').execute()).map(({ slug }) => slug);

const rename = (store: Store): Promise<unknown> =>
  store.write((tx) => db(tx).updateTable('tags').set({ name: 'New' }).execute());

/** As another program does, which knows nothing of the log that this one has open. */
const runElsewhere = (path: string, sql: string): void => {
  const program = `new (require('${driverFor(process.versions.node)}'))(process.argv[1]).exec(process.argv[2])`;
  execFileSync(process.execPath, ['-e', program, path, sql]);
};

const removeLog = (path: string): void => {
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`);
};

/** The store's file holds the tag `old` in its log alone. */
const openWithLog = async () => {
  const warnings: string[] = [];
  const { path, store: first, shell } = await createPublication();
  shell.close();
  await first.close();
  const store = await openStore(path, { onWarning: (sentence) => warnings.push(sentence) });
  onTestFinished(() => store.close());
  runElsewhere(path, INSERT('old'));
  return { path, store, warnings };
};

const INSERT = (slug: string): string =>
  `INSERT INTO tags (id, name, slug, visibility, created_at, updated_at) VALUES ('${createId()}', '${slug}', '${slug}', 'public', '', '')`;

test('a log that was removed loses nothing', async () => {
  const { path, store, warnings } = await openWithLog();
  const version = store.dataVersion();
  removeLog(path);
  expect(store.dataVersion()).not.toBe(version);
  await expect(rename(store)).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  expect(await store.reopenIfReplaced()).toBe(true);
  await rename(store);
  expect(await slugs(store)).toEqual(['old']);
  expect(warnings).toEqual([expect.stringMatching(/removed while it was open.*new file\.$/)]);
  expect(await store.reopenIfReplaced()).toBe(false);
});

test('what another program wrote after the log was removed is set aside, and said', async () => {
  const { path, store, warnings } = await openWithLog();
  removeLog(path);
  runElsewhere(path, INSERT('other'));
  await store.reopenIfReplaced();
  expect(await slugs(store)).toEqual(['old']);
  const [, aside] = /set aside in (.+)\.$/.exec(warnings[0] ?? '') ?? [];
  const other = new (loadDriver())(aside ?? '');
  onTestFinished(() => void other.close());
  expect(other.prepare('SELECT slug FROM tags').pluck().all()).toEqual(['other']);
});

test.each(['saves', 'reopens', 'closes'])(
  'what another program wrote after the index of the log was removed stays when the server %s',
  async (how) => {
    const { path, store, warnings } = await openWithLog();
    rmSync(`${path}-shm`);
    runElsewhere(path, INSERT('other'));
    expect(() => store.snapshot()).toThrow('replaced');
    expect(() => store.path).toThrow('replaced');
    if (how === 'reopens') expect(await store.reopenIfReplaced()).toBe(true);
    if (how !== 'closes') {
      // Two at once: the file is opened once, and neither is given back.
      await Promise.all([rename(store), rename(store)]);
      expect(await slugs(store)).toEqual(['old', 'other']);
      expect(warnings).toEqual([expect.stringMatching(/-shm was removed while it was open/)]);
      expect(await store.reopenIfReplaced()).toBe(false);
    }
    await store.close();
    const after = new (loadDriver())(path);
    onTestFinished(() => void after.close());
    expect(after.prepare('SELECT slug FROM tags').pluck().all()).toEqual(['old', 'other']);
    expect(after.pragma('integrity_check', { simple: true })).toBe('ok');
  },
);

test('nothing is written by an index that another connection of this program holds after its removal', async () => {
  const { path, store, warnings } = await openWithLog();
  const other = new (loadDriver())(path);
  other.prepare('SELECT slug FROM tags').all();
  rmSync(`${path}-shm`);
  await expect(rename(store)).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  other.close();
  await rename(store);
  expect(warnings).toHaveLength(2);
});

test('a disk whose programs share no memory, where no log stands, has no index to lose', async () => {
  const { path, store, shell } = await createPublication();
  shell.close();
  await store.close();
  const open = { ...(await openPublication(path, {})), log: null, index: null };
  const file = new ReplaceablePublication(path, {}, open);
  onTestFinished(() => file.close());
  expect(await file.reopenIfReplaced()).toBe(false);
  expect(() => file.throwIfReplaced()).not.toThrow();
});

test('nothing is written to a file that was replaced', async () => {
  const { path, store, copy } = await openWithCopy();
  renameSync(copy, path);
  await expect(rename(store)).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  expect(await store.reopenIfReplaced()).toBe(true);
  await rename(store);
  expect(await slugs(store)).toEqual(['restored']);
});

test('a write that comes while another file is being opened is given back', async () => {
  const { path, store, copy } = await openWithCopy();
  renameSync(copy, path);
  const reopening = store.reopenIfReplaced();
  await expect(rename(store)).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
  expect(await reopening).toBe(true);
  expect(await slugs(store)).toEqual(['restored']);
});

test('a write is given back when the file is replaced while it runs', async () => {
  const { path, store, copy } = await openWithCopy();
  const write = store.write(async (tx) => {
    await db(tx).updateTable('tags').set({ name: 'New' }).execute();
    renameSync(copy, path);
  });
  await expect(write).rejects.toMatchObject({ code: 'DATABASE_BUSY' });
});

test('a file that is still being copied is left alone, and taken when it is whole', async () => {
  const { folder, path, store, shell, copy } = await openWithCopy();
  shell.close();
  const versions = new Set([store.dataVersion()]);
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  for (const [bytes, reason] of [
    [0, 'it is empty'],
    [40_960, 'it is cut short'],
  ] as const) {
    const part = join(folder, 'part');
    copyFileSync(copy, part);
    truncateSync(part, bytes);
    copyFileSync(part, path);
    versions.add(store.dataVersion());
    await expect(store.reopenIfReplaced()).rejects.toMatchObject({
      code: 'DATABASE_UNREADABLE',
      message: expect.stringContaining(reason),
    });
    expect(() => db(store)).toThrow(reason);
    await expect(rename(store)).rejects.toThrow(reason);
  }
  copyFileSync(copy, path);
  versions.add(store.dataVersion());
  expect(versions.size).toBeGreaterThan(2);
  expect(await store.reopenIfReplaced()).toBe(true);
  expect(await slugs(store)).toEqual(['restored']);
});

test('after a file that cannot be opened, the next that can is', async () => {
  const { folder, path, store, copy } = await openWithCopy();
  const good = join(folder, 'good.db');
  copyFileSync(copy, good);
  const newer = new (loadDriver())(copy);
  newer.exec("INSERT INTO migrations (number, name, sha256) VALUES (999, 'later', 'x')");
  newer.close();
  renameSync(copy, path);
  const refused = { code: 'DATABASE_TOO_NEW' };
  await expect(store.reopenIfReplaced()).rejects.toMatchObject(refused);
  await expect(store.reopenIfReplaced()).rejects.toMatchObject(refused);
  renameSync(good, path);
  expect(await store.reopenIfReplaced()).toBe(true);
  expect(await slugs(store)).toEqual(['restored']);
});

test('a folder that cannot be looked into is a change, not a fault', async () => {
  const { path, store } = await openWithCopy();
  const version = store.dataVersion();
  rmSync(path);
  mkdirSync(path);
  expect(store.dataVersion()).not.toBe(version);
});

test("another program's file is refused and stays as it is", async () => {
  const path = join(temporaryFolder(), 'photos.db');
  const other = new (loadDriver())(path);
  onTestFinished(() => void other.close());
  other.exec('CREATE TABLE photos (id); CREATE TABLE migrations (id, name, version)');
  for (const create of [false, true]) {
    await expect(openStore(path, { create })).rejects.toMatchObject({
      code: 'DATABASE_UNREADABLE',
      message: expect.stringContaining('belongs to another program'),
    });
  }
  expect(other.prepare('SELECT count(*) FROM sqlite_master').pluck().get()).toBe(2);
  expect(other.pragma('journal_mode', { simple: true })).toBe('delete');
});

test('an empty file is a publication only when one is asked for', async () => {
  const path = join(temporaryFolder(), 'empty.db');
  writeFileSync(path, '');
  await expect(openStore(path)).rejects.toMatchObject({ code: 'DATABASE_UNREADABLE' });
  const store = await openStore(path, { create: true });
  expect(await slugs(store)).toEqual([]);
  await store.close();
});
