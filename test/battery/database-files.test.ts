// What may become of the database's files: logs cut short, bits flipped, older copies put back, triggers
// lost, newer schemas. A build shows what the database holds, or says why not and leaves the tree alone.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PrepressError } from '../../src/base/errors.ts';
import { asKnownError } from '../../src/base/sqlite/database-fault.ts';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { siteUrlOf } from '../../src/publish/build/output-settings.ts';
import { loadConfig } from '../../src/settings/load.ts';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { insertRow } from '../helpers/publication.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { CONTENT, DATABASE, openShell } from '../helpers/serve.ts';
import { readTree } from '../helpers/tree.ts';
import { checkTree } from '../helpers/tree-reader.ts';
import { rebuild, trustCopy } from './checks/power-cut.ts';
import { quickProgram } from './program.ts';
import { mustRun, runProgram } from './run-program.ts';
import { sayRow, sized } from './size.ts';
import { createBuilt, editBackOrForth } from './small-publication.ts';

const program = await quickProgram();

type Tree = ReadonlyMap<string, string>;

/**
 * Null when it was built; else the sentence that says why not, which nothing unclear may be. In this process, which takes a
 * tenth of the time of a program that must start.
 */
const build = async (folder: string): Promise<string | null> => {
  try {
    await rebuild(folder);
    return null;
  } catch (error) {
    const known = asKnownError(error);
    expect(known, String((error as Error).stack)).toBeInstanceOf(PrepressError);
    return (known as PrepressError).message;
  }
};

const withCopy = async (folder: string, look: (copy: string) => Promise<void>): Promise<void> => {
  const copy = mkdtempSync(join(tmpdir(), 'prepress-copy-'));
  try {
    cpSync(folder, copy, { recursive: true });
    rmSync(join(copy, `${DATABASE}-shm`), { force: true });
    await look(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

const NO_CONFIG = loadConfig({ environment: {}, flags: {} });

/** The tree that a clean build makes of the database of a folder; null when it cannot be read. */
const findClean = async (folder: string): Promise<Tree | null> => {
  const shell = new (loadDriver())(join(folder, DATABASE), { timeout: 60_000 });
  try {
    const url = shell.prepare("SELECT value FROM settings WHERE key = 'url'").pluck().get();
    return await cleanTree(shell, siteUrlOf(NO_CONFIG, url as string | undefined));
  } catch {
    return null;
  } finally {
    shell.close();
  }
};

/** The log cut at one KiB in so many; returns the number of cuts. */
const cutLog = async (everyKib: number): Promise<number> => {
  const { folder, shell } = await createBuilt(program);
  shell.pragma('wal_autocheckpoint = 0');
  // The tree shows the newest state; every cut leads to an earlier one.
  for (let round = 0; round < 6; round += 1) editBackOrForth(shell, round);
  await mustRun({ program, folder, args: ['build'] });
  const log = `${DATABASE}-wal`;
  const kib = Math.ceil(statSync(join(folder, log)).size / 1024);
  expect(kib).toBeGreaterThan(50);
  let cuts = 0;
  for (let at = 0; at <= kib; at += everyKib) {
    await withCopy(folder, async (copy) => {
      truncateSync(join(copy, log), at * 1024);
      trustCopy(copy);
      expect(await build(copy)).toBeNull();
      expectTree(join(copy, CONTENT), (await findClean(copy)) ?? new Map());
    });
    cuts += 1;
  }
  return cuts;
};

test('the log cut at each KiB', async () => {
  const cuts = await cutLog(sized({ short: 80, long: 1 }));
  sayRow('the log of the database cut short', { cuts, 'trees that show another state': 0 });
});

test('the shared memory file removed', async () => {
  const { folder, shell } = await createBuilt(program);
  editBackOrForth(shell, 0);
  await withCopy(folder, async (copy) => {
    trustCopy(copy);
    expect(existsSync(join(copy, `${DATABASE}-wal`))).toBe(true);
    expect(await build(copy)).toBeNull();
    expectTree(join(copy, CONTENT), await cleanTree(shell));
  });
});

/** What a build cannot see, because it reads only what changed, the command that reads all of it says. */
const isNamedByVerify = async (folder: string): Promise<boolean> => {
  const { code, stdout } = await runProgram({ program, folder, args: ['verify'] });
  return code === 1 && stdout.includes('the database is damaged: ');
};

/**
 * Flips bits of a file; after each, every file of the tree is of one of the states that it may show, or it is
 * the publication's, and said to be damaged.
 */
const flipBits = async (file: string, flips: number): Promise<number> => {
  const { folder, shell } = await createBuilt(program);
  const before = readTree(join(folder, CONTENT));
  editBackOrForth(shell, 0);
  const goal = await cleanTree(shell);
  shell.pragma('wal_checkpoint(TRUNCATE)');
  const random = createRandom(SEED);
  let refused = 0;
  for (let flip = 0; flip < flips; flip += 1) {
    await withCopy(folder, async (copy) => {
      trustCopy(copy);
      const path = join(copy, file);
      const bytes = readFileSync(path);
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(path, bytes);
      const sentence = await build(copy);
      refused += Number(sentence !== null);
      const content = join(copy, CONTENT);
      expect(checkTree(content), `${file}, byte ${at}`).toEqual([]);
      const flipped = file === DATABASE ? await findClean(copy) : null;
      const strange = [...readTree(content)].filter(
        ([name, text]) => ![before, goal, flipped].some((tree) => tree?.get(name) === text),
      );
      if (strange.length > 0 && file === DATABASE && (await isNamedByVerify(copy))) return;
      expect(
        strange.map(([name]) => name),
        `${file}, byte ${at}`,
      ).toEqual([]);
    });
  }
  return refused;
};

test('single bits flipped in the publication', async () => {
  const flips = sized({ short: 4, long: 300 });
  const refused = await flipBits(DATABASE, flips);
  sayRow(`bits flipped in the publication, seed ${SEED}`, {
    flips,
    'refused with a reason': refused,
    'half published': 0,
  });
});

const MANIFEST = 'data/build.db';

test('single bits flipped in the manifest', async () => {
  const flips = sized({ short: 4, long: 300 });
  const refused = await flipBits(MANIFEST, flips);
  sayRow(`bits flipped in the manifest, seed ${SEED}`, { flips, refused, 'half published': 0 });
  expect(refused).toBe(0);
});

/** Each column of the rows that a build trusts, changed by one, while an edit waits. */
const changeRows = async (): Promise<void> => {
  const { folder, shell } = await createBuilt(program);
  editBackOrForth(shell, 0);
  const goal = await cleanTree(shell);
  shell.pragma('wal_checkpoint(TRUNCATE)');
  const changes = [
    'UPDATE state SET seq = seq + 1',
    'UPDATE state SET fingerprint = upper(fingerprint)',
    "UPDATE records SET slug = slug || 'x'",
    "UPDATE records SET segment = segment || 'x'",
    'UPDATE records SET ms = ms + 1',
    "UPDATE records SET title = title || 'x'",
  ];
  for (const change of changes) {
    await withCopy(folder, async (copy) => {
      trustCopy(copy);
      const manifest = new (loadDriver())(join(copy, MANIFEST));
      manifest.exec(change);
      manifest.close();
      expect(await build(copy), change).toBeNull();
      expectTree(join(copy, CONTENT), goal);
    });
  }
};

test('rows of the manifest that another hand changed', () => changeRows());

type Damage = (path: string) => void;

const MANIFEST_DAMAGES: readonly (readonly [string, Damage])[] = [
  ['overwritten', (path) => writeFileSync(path, 'This is no database. '.repeat(1_000))],
  ['cut in the middle', (path) => truncateSync(path, statSync(path).size / 2)],
  ['emptied', (path) => truncateSync(path, 0)],
];

const damageManifest = async (...damages: Damage[]): Promise<void> => {
  const { folder, content, shell } = await createBuilt(program);
  for (const [round, damage] of damages.entries()) {
    editBackOrForth(shell, round);
    damage(join(folder, MANIFEST));
    const { code, stderr } = await runProgram({ program, folder, args: ['build'] });
    expect(code, stderr).toBe(0);
    expectTree(content, await cleanTree(shell));
  }
  expect(await mustRun({ program, folder, args: ['verify'] })).toContain('All is well');
};

const DAMAGED = `a manifest that was ${MANIFEST_DAMAGES.map(([name]) => name).join(' or ')}`;

test(`${DAMAGED} is made again`, async () => {
  await damageManifest(...MANIFEST_DAMAGES.map(([, damage]) => damage));
  sayRow(DAMAGED, { builds: MANIFEST_DAMAGES.length, lost: 0 });
});

const expectBuilt = async (folder: string, shell: SqliteConnection): Promise<string> => {
  const said = await mustRun({ program, folder, args: ['build'] });
  expectTree(join(folder, CONTENT), await cleanTree(shell));
  return said;
};

/** An older copy is put back; then the log grows again, past where it was. */
test('an older backup put back', async () => {
  const { folder, shell } = await createBuilt(program);
  const backup = join(folder, 'backup.db');
  editBackOrForth(shell, 0);
  await mustRun({ program, folder, args: ['backup', backup] });
  editBackOrForth(shell, 1);
  await expectBuilt(folder, shell);
  shell.close();
  for (const end of ['-wal', '-shm']) rmSync(join(folder, `${DATABASE}${end}`), { force: true });
  cpSync(backup, join(folder, DATABASE));
  const restored = openShell(folder);
  // As many changes as were lost, but others.
  for (let at = 0; at < 10; at += 1) insertRow(restored, 'tags', { slug: `later-${at}` });
  restored.prepare("UPDATE posts SET title = 'Restored' WHERE slug = 'post-3'").run();
  expect(await expectBuilt(folder, restored)).toContain('the change log does not follow');
});

/** A table is made anew, as tools do that cannot alter it: its triggers are gone, and edits go unlogged. */
test('triggers lost with a table that was made anew', async () => {
  const { folder, shell } = await createBuilt(program);
  shell.pragma('foreign_keys = OFF');
  const { sql } = shell.prepare("SELECT sql FROM sqlite_master WHERE name = 'posts'").get() as {
    sql: string;
  };
  shell.pragma('legacy_alter_table = ON');
  shell.exec(`BEGIN; ${sql.replace(/CREATE TABLE "?posts"?/, 'CREATE TABLE posts_made')};
    INSERT INTO posts_made SELECT * FROM posts; DROP TABLE posts;
    ALTER TABLE posts_made RENAME TO posts; COMMIT;`);
  shell.prepare("UPDATE posts SET title = 'Unlogged' WHERE slug = 'post-3'").run();
  await expectBuilt(folder, shell);
  shell.prepare("UPDATE posts SET title = 'Logged' WHERE slug = 'post-3'").run();
  expect(await expectBuilt(folder, shell)).toContain('incremental');
});

/** A row takes the place of another through a unique column: no trigger of a deletion fires. */
test('a row that replaces another', async () => {
  const { folder, shell } = await createBuilt(program);
  // With them on, the links that go with the row would give it away.
  shell.pragma('foreign_keys = OFF');
  shell.exec(`INSERT OR REPLACE INTO posts (id, uuid, title, slug, type, status, created_at, published_at)
    SELECT 'aaaaaaaaaaaaaaaaaaaaaaaa', uuid, 'Other', slug, type, status, created_at, published_at
    FROM posts WHERE slug = 'post-3'`);
  expect(await expectBuilt(folder, shell)).toContain('incremental');
  shell.exec(`UPDATE OR REPLACE tags SET slug = 'tag-0' WHERE slug = 'tag-1'`);
  await expectBuilt(folder, shell);
});

const updateMany = async (rows: number, published: number): Promise<void> => {
  const { folder, shell } = await createBuilt(program);
  shell.exec(`INSERT INTO posts (id, uuid, title, slug, status, created_at, published_at)
    WITH RECURSIVE row(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM row WHERE at < ${rows})
    SELECT printf('%024x', at), printf('%08x-0000-4000-8000-%012x', at, at), 'Bulk', 'bulk-' || at,
      iif(at <= ${published}, 'published', 'draft'), '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'
    FROM row`);
  await mustRun({ program, folder, args: ['build'] });
  shell.prepare("UPDATE posts SET title = title || ' again'").run();
  await expectBuilt(folder, shell);
};

test('a bulk update of very many rows', async () => {
  const rows = sized({ short: 5_000, long: 100_000 });
  const published = rows / sized({ short: 50, long: 5 });
  await updateMany(rows, published);
  sayRow('a bulk update', { rows, 'of them published': published, lost: 0 });
});

test('a newer schema is said in one sentence, and nothing is touched', async () => {
  const { folder, shell } = await createBuilt(program);
  const before = readTree(join(folder, CONTENT));
  editBackOrForth(shell, 0);
  shell.exec("INSERT INTO migrations (number, name, sha256) VALUES (999, 'later', 'x')");
  const { code, stderr } = await runProgram({ program, folder, args: ['build'] });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^prepress: The database has migration 999, which .*\n.*\n$/),
  });
  expectTree(join(folder, CONTENT), before);
});

describe.skipIf(process.getuid?.() !== 0)('opened read-only (needs root to give up rights)', () => {
  test('refused with a reason', async () => {
    const { folder, shell } = await createBuilt(program);
    const before = readTree(join(folder, CONTENT));
    editBackOrForth(shell, 0);
    // Others may look in, and read: what is refused is only the writing.
    for (const opened of [folder, join(folder, 'data')]) chmodSync(opened, 0o755);
    chmodSync(join(folder, DATABASE), 0o644);
    const start = { program, folder, args: ['build'], uid: 65_534 };
    const { code, stderr } = await runProgram(start);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^prepress: .*(?:readonly|read or written|cannot be opened)/);
    expectTree(join(folder, CONTENT), before);
  });
});
