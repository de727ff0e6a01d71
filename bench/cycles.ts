// A program that stays open, as the server does, and publishes edits of a tree that stands: each cycle is
// timed from the commit on. It prints one JSON line for each. Arguments: the folder of the publication; `compare` when
// the whole tree is to be compared with how it was, else `-`; then the scenarios to run. `first` is the build that finds
// no tree, and stands alone. Settings come from the environment, as they do to the command.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../src/base/clock.ts';
import { loadDriver, type SqliteConnection } from '../src/base/sqlite/driver.ts';
import { openStore } from '../src/publication/store/open-store.ts';
import { createBlobMemory } from '../src/publish/build/tree/blob-memory.ts';
import type { PublishDeps } from '../src/publish/cycle/publish-deps.ts';
import { publishOnce } from '../src/publish/cycle/publish-once.ts';
import { openManifest } from '../src/publish/manifest/open-manifest.ts';
import { REPLACED_FOLDER } from '../src/publish/output/session/tree-parts.ts';
import { dataPathsOf } from '../src/settings/data-paths.ts';
import { loadConfig } from '../src/settings/load.ts';
import { SITE_URL } from './builds.ts';
import { insertDraft, WIDE_TAG } from './publication.ts';
import { isBesideDocuments, readStatKeys, rewrittenBetween, touchedBetween } from './touched.ts';

export type Cycle = {
  readonly scenario: string;
  readonly milliseconds: number;
  /** Of all threads of the process. */
  readonly processorMilliseconds: number;
  /** The packed tree's part, its files' placing not counted. */
  readonly treeMilliseconds: number;
  readonly records: number;
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Of the written files. */
  readonly bytes: number;
  /** The same without files of records, default lists and search files. */
  readonly bytesBeside: number;
  /** Names that the disk says were touched; null when it was not asked. */
  readonly touched: readonly string[] | null;
  /** Those of them that stood before, and stand now. */
  readonly rewritten: readonly string[] | null;
};

type Edit = (shell: SqliteConnection, round: number) => void;

/** Another number in each run of the program, so that an edit is one whenever it is made. */
const NEW = 1_000_000 + (Date.now() % 1_000_000);

const publish: Edit = (shell, round) => {
  shell
    .prepare("UPDATE posts SET status = 'published', published_at = ? WHERE slug LIKE ?")
    .run(new Date(Date.now() - 60_000).toISOString(), `%-${NEW + round}`);
};

/** Each of another file, as uploads are. */
const putPictures = (shell: SqliteConnection, id: string): void => {
  const { html } = shell.prepare('SELECT html FROM posts WHERE id = ?').get(id) as { html: string };
  mkdirSync(join(paths.media, 'images'), { recursive: true });
  for (const [, name = ''] of html.matchAll(/\/content\/(images\/[^"]+)/g))
    writeFileSync(join(paths.media, name), name);
};

/** What a scenario commits; what comes before the commit is not timed. */
const SCENARIOS: Readonly<Record<string, { readonly prepare?: Edit; readonly commit: Edit }>> = {
  nothing: { commit: () => undefined },
  publish: {
    prepare: (shell, round) => void insertDraft(shell, NEW + round),
    commit: publish,
  },
  pictures: {
    prepare: (shell, round) => putPictures(shell, insertDraft(shell, NEW + round)),
    commit: publish,
  },
  tag: {
    commit: (shell, round) =>
      shell.prepare('UPDATE tags SET name = ? WHERE slug = ?').run(`News ${NEW + round}`, WIDE_TAG),
  },
  author: {
    commit: (shell, round) =>
      shell
        .prepare("UPDATE users SET name = ? WHERE slug = 'author-7'")
        .run(`Seven ${NEW + round}`),
  },
  timezone: {
    commit: (shell, round) =>
      shell
        .prepare("UPDATE settings SET value = ? WHERE key = 'timezone'")
        .run(`Etc/GMT+${1 + ((NEW + round) % 12)}`),
  },
};

const WARM_CYCLES = 8;
const QUIET_MS = 1_000;
const FIRST = 'first';

const [folder = '', mode = '', ...asked] = process.argv.slice(2);
const config = loadConfig({
  environment: process.env,
  flags: {
    database: join(folder, 'data/publication.db'),
    output: join(folder, 'output'),
    siteUrl: SITE_URL,
  },
});
const paths = dataPathsOf(config);
const store = await openStore(paths.database);
const manifest = openManifest(paths.manifest);
const blobMemory = createBlobMemory();
const deps: PublishDeps = { config, paths, store, manifest, clock: systemClock, blobMemory };
const shell = new (loadDriver())(paths.database, { timeout: 5_000 });
shell.pragma('synchronous = NORMAL');

const tree = join(folder, 'output/content');
const look = () => (mode === 'compare' ? readStatKeys(tree) : null);

const print = (cycle: Cycle): void => void process.stdout.write(`${JSON.stringify(cycle)}\n`);

const sizeOf = (name: string): number => statSync(join(tree, name)).size;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const timed = async (): Promise<Omit<Cycle, 'scenario' | 'touched' | 'rewritten'>> => {
  const used = process.cpuUsage();
  const started = performance.now();
  const report = await publishOnce(deps, { isServer: true });
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(used);
  const written = report.files.names?.written ?? [];
  return {
    milliseconds,
    processorMilliseconds: (user + system) / 1000,
    treeMilliseconds: report.treeMilliseconds,
    records: report.records,
    written,
    removed: report.files.names?.removed ?? [],
    bytes: sum(written.map(sizeOf)),
    bytesBeside: sum(written.filter(isBesideDocuments).map(sizeOf)),
  };
};

const first = await timed();
const isFirst = asked[0] === FIRST;
if (isFirst) print({ scenario: FIRST, touched: null, rewritten: null, ...first });
// What a process has done before is done faster, and a server has published before.
for (let warm = 0; warm < (isFirst ? 0 : WARM_CYCLES); warm += 1) {
  insertDraft(shell, NEW + asked.length + warm);
  shell.exec("UPDATE posts SET status = 'published' WHERE status = 'draft'");
  await publishOnce(deps, { isServer: true });
}
for (const [round, scenario] of isFirst ? [] : asked.entries()) {
  const edit = SCENARIOS[scenario];
  if (edit === undefined) throw new Error(`There is no scenario ${scenario}.`);
  edit.prepare?.(shell, round);
  if (edit.prepare !== undefined) await publishOnce(deps, { isServer: true });
  // As an edit finds it that comes a little later than the one before.
  await sleep(QUIET_MS);
  const before = look();
  edit.commit(shell, round);
  const cycle = await timed();
  const after = before && look();
  const touched = before && after && touchedBetween(before, after);
  const rewritten = before && after && rewrittenBetween(before, after);
  print({ scenario, ...cycle, touched, rewritten });
}
// What was replaced is freed after an edit; the next one is not to wait for that. What a thread could not free stays.
for (let waits = 0; waits < 600 && existsSync(join(tree, REPLACED_FOLDER)); waits += 1) {
  await sleep(100);
}
shell.close();
manifest.close();
await store.close();
