// The folder of the database belongs to its owner, whatever the umask is and whoever made it.
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listBelow } from '../../../../src/base/files/list-below.ts';
import { createMailer } from '../../../../src/base/mail/mailer.ts';
import { closeDataFolder, makeDataFolder } from '../../../../src/publication/store/data-folder.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { openWorkspace } from '../../../../src/serve/workspace/workspace.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

const configIn = (site: string) =>
  testConfig({ database: join(site, 'data/publication.db'), output: join(site, 'output') });

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

/** The mode of everything below a folder, and its own. */
const modesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [
      ['', folder],
      ...listBelow(folder).map(({ name, parentPath }) => [name, join(parentPath, name)]),
    ].map(([name = '', path = '']) => [name, modeOf(path)]),
  );

const put = (folder: string, name: string, mode: number): string => {
  const path = join(folder, name);
  writeFileSync(path, '');
  chmodSync(path, mode);
  return path;
};

/** A data folder as an earlier Prepress left it, under umask 022. */
const oldFolder = () => {
  const site = temporaryFolder();
  chmodSync(site, 0o755);
  const folder = join(site, 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  for (const name of ['publication.db', 'publication.db-wal', 'build.db', 'hosts.lock.db']) {
    put(folder, name, 0o644);
  }
  put(folder, 'secret.key', 0o600);
  put(folder, 'changes.json', 0o644);
  put(folder, 'pages-seal.json.4711.new', 0o644);
  mkdirSync(join(folder, 'mail'));
  chmodSync(join(folder, 'mail'), 0o755);
  put(folder, 'mail/a.eml', 0o600);
  put(folder, 'pages-site.json', 0o644);
  mkdirSync(join(folder, 'uploads'));
  chmodSync(join(folder, 'uploads'), 0o700);
  put(folder, 'uploads/0.part', 0o644);
  mkdirSync(join(folder, 'old'));
  chmodSync(join(folder, 'old'), 0o755);
  put(folder, 'old/earlier.db', 0o644);
  return { folder, paths: dataPathsOf(configIn(site)) };
};

test.each([0o000, 0o002, 0o022, 0o077])(
  'a new publication under umask %o is private',
  async (umask) => {
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    const site = temporaryFolder();
    const workspace = await openWorkspace(configIn(site), { create: true });
    onTestFinished(workspace.close);
    await publishOnce(workspace);
    const mailer = createMailer({
      smtp: undefined,
      from: () => 'a@example.com',
      folder: join(site, 'data/mail'),
    });
    await mailer.send({ to: 'b@example.com', subject: 'x', text: 'x' });
    const modes = modesIn(join(site, 'data'));
    const { '': data, mail, ...files } = modes;
    expect([data, mail]).toEqual(['700', '700']);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['publication.db-wal', 'publication.db-shm', 'build.lock.db']),
    );
    expect([...new Set(Object.values(files))]).toEqual(['600']);
    expect(modeOf(join(site, 'output/content'))).toBe((0o777 & ~umask).toString(8));
  },
);

test('what was made before loses the access of the world, group bits stay, and one warning says so', () => {
  const { folder, paths } = oldFolder();
  const [warning, ...more] = closeDataFolder(paths);
  expect(more).toEqual([]);
  expect(warning).toMatch(
    /^Other users can no longer read 12 files and folders of .*data; their group/,
  );
  expect(modesIn(folder)).toEqual({
    '': '750',
    'publication.db': '640',
    'publication.db-wal': '640',
    'build.db': '640',
    'hosts.lock.db': '640',
    'secret.key': '600',
    'changes.json': '640',
    'pages-seal.json.4711.new': '640',
    mail: '750',
    'a.eml': '600',
    'pages-site.json': '640',
    uploads: '700',
    '0.part': '640',
    old: '750',
    'earlier.db': '640',
  });
  expect(closeDataFolder(paths)).toEqual([]);
});

test.each([
  ['holds other things', (folder: string) => put(folder, 'letters.txt', 0o644)],
  ['holds the output', () => undefined],
])('a folder that %s keeps its rights, our files do not', (reason, prepare) => {
  const { folder, paths } = oldFolder();
  prepare(folder);
  const output = reason === 'holds the output' ? join(folder, 'output') : paths.output;
  closeDataFolder({ ...paths, output });
  expect(modeOf(folder)).toBe('755');
  expect(modeOf(join(folder, 'publication.db'))).toBe('640');
});

test('what stands in the place of a file of ours by a link is left alone', () => {
  const { folder, paths } = oldFolder();
  const other = put(temporaryFolder(), 'other.json', 0o644);
  symlinkSync(other, join(folder, 'pages.json'));
  closeDataFolder(paths);
  expect(modeOf(other)).toBe('644');
});

test('a folder that waits for its database is closed, a shared one of the system is not', () => {
  const site = temporaryFolder();
  const paths = dataPathsOf(configIn(site));
  const folder = join(site, 'data');
  mkdirSync(folder);
  put(folder, '.gitignore', 0o644);
  for (const [mode, then] of [
    [0o755, '700'],
    [0o1777, '1777'],
  ] as const) {
    chmodSync(folder, mode);
    makeDataFolder(paths);
    expect(modeOf(folder)).toBe(then);
  }
});

test.skipIf(process.getuid?.() !== 0)('the files of another user are a warning, no failure', () => {
  const { folder, paths } = oldFolder();
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
  const warnings = closeDataFolder(paths);
  process.seteuid?.(0);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Every user has access to .*\.db and 10 more, and the rights cannot be changed \(EPERM\)/,
    ),
  ]);
  expect(modeOf(join(folder, 'publication.db'))).toBe('644');
});

test.skipIf(process.getuid?.() !== 0)(
  'what the superuser makes for another user belongs to that user',
  async () => {
    const site = temporaryFolder();
    const folder = join(site, 'data');
    mkdirSync(folder);
    chownSync(folder, 65_534, 65_534);
    const workspace = await openWorkspace(configIn(site), { create: true });
    await workspace.close();
    const owners = listBelow(folder).map(({ name }) => [name, statSync(join(folder, name)).uid]);
    expect(owners.filter(([, uid]) => uid !== 65_534)).toEqual([]);
    expect(owners.map(([name]) => name)).toEqual(
      expect.arrayContaining(['admin-key', 'secret.key', 'build.db']),
    );
  },
);
