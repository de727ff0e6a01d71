// Backups: their names, what they replace and what they share, and whose they are.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { backup } from '../../../src/cli/commands/service/backup.ts';
import { openStore } from '../../../src/publication/store/open-store.ts';
import { createReport } from '../../../src/serve/workspace/report.ts';
import { flipBit } from '../../helpers/flip-bit.ts';
import { insertRow, openPublication } from '../../helpers/publication.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { testConfig } from '../../helpers/tree.ts';

let site: string;
let backups: string;

beforeEach(async () => {
  site = temporaryFolder();
  backups = join(site, 'backups');
  for (const name of ['data', 'backups', 'media/images']) {
    mkdirSync(join(site, name), { recursive: true });
  }
  await (await openStore(database(), { create: true })).close();
  putPicture('a.png', 'a');
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
});

const database = (): string => join(site, 'data/publication.db');
const putPicture = (name: string, text: string): void =>
  writeFileSync(join(site, 'media/images', name), text);

const run = async (to: string, options: Record<string, boolean> = {}): Promise<unknown> => {
  const report = createReport({ json: false });
  let printed: unknown = null;
  const quiet = { ...report, print: () => undefined, data: (value: unknown) => (printed = value) };
  const config = testConfig({ database: database() });
  await backup({
    config,
    ownConfig: config,
    reload: async () => config,
    settingsFile: '',
    report: quiet,
    args: [to],
    options,
  });
  return printed;
};

const inodeOf = (...names: string[]): number => statSync(join(...names)).ino;
const modeOf = (...names: string[]): number => statSync(join(...names)).mode & 0o777;

test('a folder gets a file of the name of the database, and a file any name', async () => {
  expect(await run(backups)).toEqual({
    file: join(backups, 'publication.db'),
    media: { folder: join(backups, 'publication-media'), files: 1, skipped: [] },
  });
  await run(join(backups, 'other'));
  expect(readdirSync(backups).sort()).toEqual([
    'other',
    'other-media',
    'publication-media',
    'publication.db',
  ]);
  expect([modeOf(backups, 'publication.db'), modeOf(backups, 'publication-media')]).toEqual([
    0o600, 0o700,
  ]);
  await expect(run(backups)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  await expect(run(join(backups, 'none/a.db'))).rejects.toMatchObject({
    code: 'DATABASE_UNWRITABLE',
  });
  const absent = join(backups, 'absent');
  await expect(run(absent, { dated: true })).rejects.toMatchObject({
    code: 'DATABASE_UNWRITABLE',
    message: `There is no folder ${absent}.`,
  });
});

test.skipIf(process.getuid?.() !== 0)('a folder that is closed to this user is named', async () => {
  const closed = join(backups, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  for (const folder of [site, backups]) chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  onTestFinished(() => void process.seteuid?.(0));
  const target = join(closed, 'copy.db');
  await expect(run(target)).rejects.toMatchObject({
    code: 'DATABASE_UNWRITABLE',
    message: `No copy can be made at ${target}: this user has no access to ${closed} (EACCES).`,
  });
});

test('dated copies stand beside each other, and share what is the same', async () => {
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  for (const night of ['2026-11-23T03:15:00.000Z', '2026-11-24T03:15:00.000Z']) {
    clock.mockReturnValue(Date.parse(night));
    await run(backups, { dated: true });
    putPicture('b.png', night);
  }
  const [first, second] = ['23', '24'].map((day) => `publication-2026-11-${day}T03-15-00.000Z`);
  expect(readdirSync(backups).sort()).toEqual([
    `${first}-media`,
    `${first}.db`,
    `${second}-media`,
    `${second}.db`,
  ]);
  const copies = [first, second].map((name) => inodeOf(backups, `${name}-media`, 'images/a.png'));
  expect(copies[0]).toBe(copies[1]);
  expect(copies[0]).not.toBe(inodeOf(site, 'media/images/a.png'));
  expect(readdirSync(join(backups, `${second}-media/images`))).toEqual(['a.png', 'b.png']);
});

test('a copy is replaced whole, and never by less than there is', async () => {
  await run(backups);
  putPicture('b.png', 'b');
  symlinkSync(database(), join(site, 'media/images/link.png'));
  mkdirSync(join(backups, 'publication-media.partial/half'), { recursive: true });
  expect(await run(backups, { replace: true })).toMatchObject({
    media: { files: 2, skipped: [{ path: 'images/link.png' }] },
  });
  const standing = ['publication-media', 'publication.db'];
  expect(readdirSync(backups).sort()).toEqual(standing);
  renameSync(join(site, 'media'), join(site, 'away'));
  mkdirSync(join(site, 'media/images'), { recursive: true });
  expect(await run(backups, { replace: true })).toMatchObject({ media: null });
  expect(readdirSync(join(backups, 'publication-media/images'))).toEqual(['a.png', 'b.png']);
  expect(readdirSync(backups).sort()).toEqual(standing);
});

test('a damaged database replaces no earlier copy, and a new copy of it fails all the same', async () => {
  const publication = await openPublication(join(site, 'data'));
  const id = insertRow(publication.shell, 'posts', {});
  await publication.close();
  await run(backups);
  const good = readFileSync(join(backups, 'publication.db'));
  flipBit(database(), 'sqlite_autoindex_posts_1', id);
  await expect(run(backups, { replace: true })).rejects.toMatchObject({
    code: 'DATABASE_UNREADABLE',
    message: expect.stringMatching(/The earlier copy .*publication\.db stays\.$/),
  });
  expect(readFileSync(join(backups, 'publication.db')).equals(good)).toBe(true);
  await expect(run(join(backups, 'new.db'))).rejects.toMatchObject({
    message: expect.stringMatching(/^The database is damaged, and so is its copy .*new\.db: /),
  });
  expect(readdirSync(backups).filter((name) => name.includes('partial'))).toEqual([]);
});

test.each([
  ['data', 'holds the database itself'],
  ['data/secret.key', 'holds the database itself'],
  ['media', 'is served'],
  ['media/images/copy.db', 'is served'],
  ['absent/', 'There is no folder'],
])('%s is no place for a backup', async (to, reason) => {
  const before = readdirSync(site, { recursive: true });
  for (const options of [{}, { replace: true }, { dated: true }]) {
    const taken = run(to.endsWith('/') ? `${site}/${to}` : join(site, to), options);
    await expect(taken).rejects.toThrow(reason);
  }
  expect(readdirSync(site, { recursive: true })).toEqual(before);
});

const GHOST = join(import.meta.dirname, '../../fixtures/ghost-small/ghost.sqlite');

test.each([
  ['settings.json', () => Buffer.from('{"port": 4000}\n'), 'settings.json is not a backup'],
  ['ghost.db', () => readFileSync(GHOST), "is Ghost's own database, not a backup"],
])('%s is not replaced', async (name, bytes, sentence) => {
  const file = join(site, name);
  writeFileSync(file, bytes());
  for (const replace of [true, false]) {
    await expect(run(file, { replace })).rejects.toThrow(sentence);
    expect(readFileSync(file).equals(bytes())).toBe(true);
  }
});

test('the database of another publication is not replaced', async () => {
  const folder = join(site, 'other');
  mkdirSync(folder);
  writeFileSync(join(folder, 'build.lock.db'), '');
  await (await openStore(join(folder, 'publication.db'), { create: true })).close();
  await expect(run(folder, { replace: true })).rejects.toThrow('of another publication');
});
