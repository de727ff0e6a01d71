// Pictures outlive the output: imported once, they are kept, placed by every build, checked, counted and backed up.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { copiesOfInit } from '../helpers/publication-copies.ts';
import { COMMAND, prepress, runPrepress } from '../helpers/run-prepress.ts';
import { DATABASE, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const EXPORT = join(import.meta.dirname, '../fixtures/ghost-export.json');
const OPERATIONS = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const PICTURE = 'output/content/images/2026/a.png';

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, text);
};

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

/** A folder of pictures as Ghost has it. */
const ghostContent = (): string => {
  const folder = temporaryFolder();
  put(join(folder, 'images/2026/a.png'), 'picture a');
  put(join(folder, 'files/b.pdf'), 'paper b');
  return folder;
};

const newCopy = copiesOfInit('--empty', '--site-url', 'https://site.test');

const importPictures = async (): Promise<string> => {
  const folder = newCopy();
  await prepress(folder, ['import', '--images', ghostContent()]);
  return folder;
};

test('a build after the output was removed brings every picture back, and verify knows them', async () => {
  const folder = newCopy();
  const from = ghostContent();
  symlinkSync(join(from, 'images/2026/a.png'), join(from, 'images/linked.png'));
  const said = await prepress(folder, ['import', EXPORT, '--images', from]);
  expect(said).toContain('Media: 2 files copied, 0 unchanged, 2 placed in the output.');
  expect(said).toContain('Skipped images/linked.png: it is a symbolic link');
  expect(read(folder, PICTURE)).toBe('picture a');
  await prepress(folder, ['build']);
  rmSync(join(folder, 'output'), { recursive: true });
  expect(await prepress(folder, ['build'])).toContain('Media: 2 files placed, 0 removed.');
  expect(read(folder, PICTURE)).toBe('picture a');
  // The export names pictures that nobody brought.
  expect(await prepress(folder, ['verify'])).toContain('The output is whole; see the notes above.');
  const { media } = JSON.parse(await prepress(folder, ['status', '--json']));
  expect(media).toEqual({ files: 2, bytes: 'picture a'.length + 'paper b'.length });
});

test('verify names what is missing, altered, extra and a link, and a full build mends it', async () => {
  const folder = await importPictures();
  await prepress(folder, ['build']);
  const image = (name: string): string => join(folder, 'media/images', name);
  for (const name of ['gone', 'left', 'kept']) put(image(`${name}.png`), name);
  await prepress(folder, ['build']);
  rmSync(join(folder, 'output/content/images/gone.png'));
  rmSync(image('left.png'));
  const altered = join(folder, PICTURE);
  const { atime, mtime } = statSync(altered);
  put(altered, 'picture b');
  utimesSync(altered, atime, mtime);
  symlinkSync(image('kept.png'), image('link.png'));
  put(join(folder, 'output/content/images/theirs.png'), 'theirs');
  const { stdout, code } = await runPrepress(folder, ['verify']);
  expect(code).toBe(1);
  const lines = stdout
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('Note: '));
  expect(lines.slice(0, -1).sort()).toEqual([
    'images/2026/a.png: the file has other bytes than the one in the media folder',
    'images/gone.png: the file is missing; the media folder has it',
    'images/left.png: the media folder has this file no more',
    'images/link.png: in the media folder, this is a symbolic link, and links are not followed',
  ]);
  rmSync(image('link.png'));
  await prepress(folder, ['build', '--full']);
  expect(await prepress(folder, ['verify'])).toContain('All is well.');
  expect(read(folder, PICTURE)).toBe('picture a');
  expect(read(folder, 'output/content/images/theirs.png')).toBe('theirs');
  rmSync(join(folder, 'media'), { recursive: true });
  mkdirSync(join(folder, 'media'));
  const empty = await runPrepress(folder, ['verify']);
  expect(empty.stdout).toMatch(
    /the media folder .*media holds no file, so the output keeps 4 files placed from it/,
  );
  expect(empty.stdout).toMatch(/\n1 finding\. The line above says what helps\.\n$/);
  const sent = join(folder, 'sent');
  await prepress(folder, ['deploy', `dir:${sent}`]);
  const places = [PICTURE, 'sent/content/images/2026/a.png'].map((path) => join(folder, path));
  expect(places.filter(existsSync)).toEqual(places);
  writeFileSync(join(folder, 'media/empty.txt'), '');
  expect(await prepress(folder, ['build'])).toContain('Media: 0 files placed, 4 removed.');
  expect(await prepress(folder, ['verify'])).toContain('All is well.');
  await prepress(folder, ['deploy', `dir:${sent}`]);
  expect(places.filter(existsSync)).toEqual([]);
});

test('an export that cannot be read brings no pictures', async () => {
  const folder = newCopy();
  writeFileSync(join(folder, 'cut.json'), readFileSync(EXPORT, 'utf8').slice(0, 5_000));
  const { code } = await runPrepress(folder, ['import', 'cut.json', '--images', ghostContent()]);
  expect([code, existsSync(join(folder, 'media'))]).toEqual([1, false]);
  const { stderr } = await runPrepress(folder, ['import']);
  expect(stderr).toContain('Name what to import: ');
});

test('a running server serves an imported picture at once, and one that is put into the media folder with the next publish', async () => {
  const folder = newCopy();
  const serving = await serve(folder);
  await prepress(folder, ['import', '--images', ghostContent()]);
  expect(await (await serving.get('/content/images/2026/a.png')).text()).toBe('picture a');
  put(join(folder, 'media/images/2026/c.png'), 'picture c');
  await serving.admin('PUT', '/settings/', { settings: [{ key: 'title', value: 'Another' }] });
  await eventually(async () =>
    expect((await serving.get('/content/images/2026/c.png')).status).toBe(200),
  );
});

const copiesIn = (folder: string): string[] => readdirSync(folder).sort();

test('the crontab line of docs/operations.md works on the second night, and shares what is the same', async () => {
  const folder = await importPictures();
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const line = /^15 3 \* \* \* +(.+)$/m.exec(OPERATIONS)?.[1] ?? '';
  const command = line
    .replace('/srv/prepress', folder)
    .replace('/usr/bin/node dist/prepress.js', `${process.execPath} ${COMMAND}`)
    .replace('/backups', backups);
  // cron hands on no variables of these tests.
  const env = { PATH: process.env.PATH };
  for (let night = 1; night <= 2; night += 1) {
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '']);
  }
  const date = String.raw`publication-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z`;
  const [media, file, ...second] = copiesIn(backups).map((name) => join(backups, name));
  expect(second).toHaveLength(2);
  expect(media).toMatch(new RegExp(`${date}-media$`));
  expect(file).toMatch(new RegExp(`${date}\\.db$`));
  const inodes = [media, second[0]].map((one) => statSync(join(String(one), 'images/2026/a.png')));
  expect(inodes[0]?.ino).toBe(inodes[1]?.ino);
  expect(inodes[0]?.ino).not.toBe(statSync(join(folder, 'media/images/2026/a.png')).ino);
  const modes = [file, media].map((path) => (statSync(String(path)).mode & 0o777).toString(8));
  expect(modes).toEqual(['600', '700']);
});

test('a site is restored from its copy', async () => {
  const folder = await importPictures();
  await prepress(folder, ['backup', 'copy.db']);
  for (const gone of ['data/publication.db', 'data/build.db', 'data/media.db', 'output', 'media']) {
    rmSync(join(folder, gone), { recursive: true, force: true });
  }
  cpSync(join(folder, 'copy.db'), join(folder, DATABASE));
  cpSync(join(folder, 'copy-media'), join(folder, 'media'), { recursive: true });
  await prepress(folder, ['build']);
  expect(await prepress(folder, ['verify'])).toContain('All is well.');
  expect(read(folder, PICTURE)).toBe('picture a');
});
