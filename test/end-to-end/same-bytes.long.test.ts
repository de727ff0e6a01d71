// The same database gives the same bytes, whatever the process's locale and zone are.
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { readTree } from '../helpers/tree.ts';

const SURROUNDINGS = [
  { LC_ALL: 'C', TZ: 'UTC' },
  { LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' },
  { LC_ALL: 'de_DE.UTF-8', TZ: 'America/St_Johns' },
];

/** Names that Turkish, German and the order of bytes sort and fold in their own ways. */
const NAMES = [
  'Iris',
  'ıssız',
  'İzmir',
  'izmir',
  'Zoo',
  'zoo',
  'Ärger',
  'arm',
  'Öl',
  'öl',
  'ß',
  'ss',
];
const SLUGS = ['INDIGO', 'indigo', 'İz', 'ız', 'iz', 'straße', 'STRASSE', 'äpfel', 'plain'];
/** Each a form that a stored time may have; those without a zone are in UTC. */
const TIMES = [
  '2026-03-29 02:30:00',
  '2026-10-25T01:30:00.000Z',
  '1774748700000',
  '1999-12-31 23:59',
];

const plantTraps = (shell: SqliteConnection): void => {
  shell.prepare(`UPDATE settings SET value = 'Europe/Berlin' WHERE key = 'timezone'`).run();
  const tags = NAMES.map((name) => insertRow(shell, 'tags', { name }));
  for (const [at, slug] of [...SLUGS, ...NAMES].entries()) {
    const type = at < SLUGS.length ? 'post' : 'page';
    const published_at = TIMES[at % TIMES.length];
    const row = { type, slug, status: 'published', published_at, created_at: published_at };
    const id = insertRow(shell, 'posts', { ...row, title: NAMES[at % NAMES.length] });
    insertRow(shell, 'posts_tags', { post_id: id, tag_id: tags[at % tags.length] });
  }
};

const withShell = (folder: string, work: (shell: SqliteConnection) => void): void => {
  const shell = new (loadDriver())(join(folder, 'data/publication.db'));
  try {
    work(shell);
  } finally {
    shell.close();
  }
};

const treeOf = (folder: string): Map<string, string> => readTree(join(folder, 'output'));

const backUp = async (folder: string): Promise<string> => {
  const file = join(folder, 'backup.db');
  await prepress(folder, ['backup', file, '--replace']);
  return file;
};

/** A folder of its own for a backup, built at once. */
const buildFrom = async (
  backup: string,
  environment: Readonly<Record<string, string>>,
): Promise<Map<string, string>> => {
  const folder = join(dirname(backup), `from-backup-${environment.LC_ALL ?? 'here'}`);
  mkdirSync(join(folder, 'data'), { recursive: true });
  copyFileSync(backup, join(folder, 'data/publication.db'));
  copyFileSync(join(dirname(backup), 'data/secret.key'), join(folder, 'data/secret.key'));
  cpSync(join(dirname(backup), 'backup-media'), join(folder, 'media'), { recursive: true });
  expect(await prepress(folder, ['build'], { environment })).toContain('full');
  return treeOf(folder);
};

describe('the same database', () => {
  let folder = '';

  beforeAll(async () => {
    const made = suiteFolder();
    folder = made.path;
    await prepress(folder, ['init']);
    withShell(folder, plantTraps);
    return made.remove;
  });

  it('gives the same bytes under every locale and zone', async () => {
    const backup = await backUp(folder);
    const trees = await Promise.all(SURROUNDINGS.map((one) => buildFrom(backup, one)));
    const [first, ...others] = trees;
    expect(first?.size).toBeGreaterThan(300);
    for (const tree of others) expect(tree).toEqual(first);
  });
});
