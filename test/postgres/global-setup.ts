// Around the tests that run on PostgreSQL, too: one server for all of them, with an empty publication of which each test
// has a copy, and the bundled thread of their shells.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { BUNDLE_OPTIONS } from '../../scripts/bundle.js';
import { prepareDatabase } from '../../src/publication/store/postgres/prepare-database.ts';
import { openSession } from '../../src/publication/store/postgres/session.ts';
import { openFolder } from '../helpers/temporary-folder.ts';
import { postgresReason, startPostgres } from '../matrix/start-postgres.ts';

export type GivenPostgres = {
  readonly address: string;
  /** Name of the empty publication. */
  readonly template: string;
  readonly shellWorker: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent where tests run on SQLite alone. */
    postgres: GivenPostgres | undefined;
    /** Why PostgreSQL is not there. */
    postgresReason: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');
/** Inside node_modules, so that the bundle finds the packages. */
const CACHE = join(ROOT, 'node_modules/.cache');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const reason = postgresReason();
  if (reason !== null) {
    project.provide('postgresReason', reason);
    return async () => undefined;
  }
  mkdirSync(CACHE, { recursive: true });
  const bundles = mkdtempSync(join(CACHE, 'prepress-shell-'));
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: { 'shell-worker': join(ROOT, 'test/postgres/shell-worker.ts') },
    outdir: bundles,
  });
  const folder = openFolder(tmpdir());
  const server = await startPostgres(folder);
  // A run that is interrupted has no teardown.
  process.once('exit', server.kill);
  const template = await server.create();
  const session = await openSession(template);
  await prepareDatabase(session);
  await session.close();
  project.provide('postgres', {
    address: server.address,
    template: new URL(template).pathname.slice(1),
    shellWorker: join(bundles, 'shell-worker.js'),
  });
  return async () => {
    await server.end();
    for (const one of [folder, bundles]) rmSync(one, { recursive: true, force: true });
  };
}
