import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import type { Store } from '../../src/publication/store/store.ts';
import type { BuildReport } from '../../src/publish/build/run-build.ts';
import { createBlobMemory } from '../../src/publish/build/tree/blob-memory.ts';
import {
  applyOperation,
  type Operation,
  operation,
  seedPublication,
} from '../helpers/edit-script.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { openPublication } from '../helpers/publication.ts';
import { expectSidecars } from '../helpers/sidecars.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { buildThreaded, skipWithoutBundle } from '../helpers/threaded-build.ts';
import {
  type BuildOptions,
  buildInto,
  parseFile,
  publishWith,
  readStatKeys,
  readTree,
  testConfig,
} from '../helpers/tree.ts';

const IS_SABOTAGED = process.env.PREPRESS_TEST_SABOTAGE !== undefined;
/** `npm run check:all` makes 200 more of them. */
const RUNS = Number(process.env.PREPRESS_TEST_RUNS ?? (IS_SABOTAGED ? 200 : 40));
const LIMITS = {
  // On a sabotaged source any failure will do; finding the smallest takes most of the time.
  endOnFailure: IS_SABOTAGED,
} as const;
/** Far more than so many runs take anywhere: only a test that hangs is ended. */
const HANGS_MS = 300_000 + RUNS * 30_000;

type Script = {
  readonly operations: readonly Operation[];
  readonly compareAt: readonly number[];
  readonly buildAt: readonly number[];
  readonly limit: number | undefined;
  readonly precompress: readonly ('br' | 'gzip')[];
  /** Blobs of few records, so that edits split and merge them. */
  readonly hasSmallBlobs: boolean;
};

const script: fc.Arbitrary<Script> = fc.record({
  operations: fc.array(operation, { minLength: 1, maxLength: 60 }),
  /** Where the trees are compared beside the end, and where a build happens uncompared. */
  compareAt: fc.array(fc.nat({ max: 59 }), { minLength: 3, maxLength: 3 }),
  buildAt: fc.array(fc.nat({ max: 59 }), { maxLength: 8 }),
  limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 4 }),
  hasSmallBlobs: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  precompress: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray(['br', 'gzip'] as const, { minLength: 1 }) },
  ),
});

type Build = (store: Store, folder: string, options: BuildOptions) => Promise<BuildReport>;

/** Runs so many scripts, each in a folder of its own. */
const runScripts = async (numRuns: number, build?: Build): Promise<void> => {
  const folder = temporaryFolder();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(script, async (one) => {
      round += 1;
      const place = join(folder, String(round));
      mkdirSync(place);
      await runScript(place, one, build);
      rmSync(place, { recursive: true });
    }),
    { ...LIMITS, numRuns },
  );
};

test(
  'after any edits, an incremental build has the bytes of a clean full one',
  () => runScripts(RUNS),
  HANGS_MS,
);

test.skipIf(skipWithoutBundle)(
  'and so it is when threads do the work',
  () => runScripts(Math.ceil(RUNS / 20), buildThreaded),
  HANGS_MS,
);

/** Less than all of them. */
const BLOBS_KEPT_BYTES = 8 * 1024;

const runScript = async (
  folder: string,
  one: Script,
  buildChanges: Build = buildInto,
): Promise<void> => {
  const { store, shell, close } = await openPublication(folder);
  seedPublication(shell);
  const { limit, precompress } = one;
  const options: BuildOptions = {
    config: testConfig({
      'lists.max': limit,
      'lists.pages': 'all',
      precompress: precompress.join(),
    }),
    ...(one.hasSmallBlobs && { levels: SMALL_LEVELS }),
  };
  const endings = precompress.map((encoding) => (encoding === 'br' ? '.br' : '.gz'));
  const incremental = join(folder, 'incremental');
  const blobMemory = createBlobMemory(BLOBS_KEPT_BYTES);
  const build = (): Promise<unknown> =>
    publishWith(buildChanges, store, [incremental, { ...options, blobMemory }]);
  try {
    await build();
    for (const [at, operation] of one.operations.entries()) {
      applyOperation(shell, operation);
      const isCompared = at === one.operations.length - 1 || one.compareAt.includes(at);
      if (isCompared || one.buildAt.includes(at)) await build();
      if (!isCompared) continue;
      const clean = join(folder, `clean-${at}`);
      await buildInto(store, clean, options);
      expect(readTree(join(incremental, 'content'))).toEqual(readTree(join(clean, 'content')));
      expectSidecars(join(incremental, 'content'), endings);
      expectNoneMoreOpen(shell, join(incremental, 'content'));
    }
    const statKeys = readStatKeys(join(incremental, 'content'));
    await build();
    expect(readStatKeys(join(incremental, 'content'))).toEqual(statKeys);
  } finally {
    await close();
  }
};

type Present = {
  readonly status: string;
  readonly visibility: string;
  readonly mail: string | null;
};

const GATES = ['public', 'members', 'paid', 'tiers'];

/** Whatever is broken: strangers read no post whose row is not published, or is gated more than its document. */
const expectNoneMoreOpen = (shell: SqliteConnection, content: string): void => {
  const row = shell.prepare(
    `SELECT status, visibility,
       (SELECT CAST(email_only AS TEXT) FROM posts_meta WHERE post_id = posts.id) AS mail
     FROM posts WHERE id = ?`,
  );
  for (const resource of ['posts', 'pages']) {
    const records = parseFile(content, `${resource}/index.json`)[resource];
    for (const { id, visibility } of records as { id: string; visibility: string }[]) {
      const present = row.get(id) as Present | undefined;
      expect(present?.status).toBe('published');
      expect(['0', 'false']).toContain(present?.mail ?? '0');
      const isUnknown = !GATES.includes(present?.visibility ?? '');
      const gate = isUnknown ? 'tiers' : (present?.visibility ?? '');
      expect(GATES.indexOf(visibility)).toBeGreaterThanOrEqual(GATES.indexOf(gate));
    }
  }
};
