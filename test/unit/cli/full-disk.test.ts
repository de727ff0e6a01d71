// What commands and the state say where the folder of the database takes nothing, or the database is closed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { asDiskError, FILE_FAILED } from '../../../src/base/files/disk-error.ts';
import { readFault } from '../../../src/base/files/read-fault.ts';
import { createPublishing } from '../../../src/serve/program/publishing.ts';
import { createLogger } from '../../../src/serve/server/log/logger.ts';
import { createReport } from '../../../src/serve/workspace/report.ts';
import { openWorkspace } from '../../../src/serve/workspace/workspace.ts';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { testConfig } from '../../helpers/tree.ts';

const disk = vi.hoisted(() => ({ full: '', closed: '' }));

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const statfsSync = (path: string) => ({
    ...fs.statfsSync(path),
    ...(path === disk.full && { bavail: 0 }),
  });
  const accessSync = (path: string, mode?: number) => {
    if (path === disk.closed) throw Object.assign(new Error('closed'), { code: 'EACCES' });
    fs.accessSync(path, mode);
  };
  return { ...fs, statfsSync, accessSync };
});

const createSite = async (): Promise<string> => {
  const folder = temporaryFolder();
  await sayHere(folder, ['init', '--site-url=https://site.test']);
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ hosts: ['apache'] }));
  await sayHere(folder, ['build']);
  return folder;
};

test('files of Prepress are known from a copy of the data folder, and changed ones are named', async () => {
  const folder = await createSite();
  const apart = async (): Promise<unknown> => {
    const verified = await runHere(folder, ['verify', '--json']);
    const { edited } = JSON.parse(await sayHere(folder, ['status', '--json'])) as {
      edited: unknown;
    };
    return { ...(JSON.parse(verified.stdout) as object), edited };
  };
  writeFileSync(join(folder, 'output/.htaccess'), 'changed');
  const before = await apart();
  expect(before).toMatchObject({ findings: [], edited: [join(folder, 'output/.htaccess')] });
  disk.full = join(folder, 'data');
  expect(await apart()).toEqual(before);
  disk.full = '';
});

test('the state of a server names it', async () => {
  const folder = temporaryFolder();
  const config = testConfig({
    database: join(folder, 'publication.db'),
    output: join(folder, 'output'),
  });
  const workspace = await openWorkspace(config, { create: true });
  const { port } = createPublishing(workspace, {
    logger: createLogger('silent'),
    report: createReport({ json: true }),
    following: { state: () => null } as never,
    metrics: null,
    ended: new Promise(() => undefined),
  });
  expect(port.state()).toMatchObject({ disk: null });
  disk.full = folder;
  const message = `${folder} is on a full disk.`;
  expect(port.state()).toMatchObject({ disk: { code: 'DATABASE_UNWRITABLE', message } });
  disk.full = '';
  await workspace.close();
});

test('a database that this user may not read is named, with what opens it', async () => {
  const folder = await createSite();
  disk.closed = join(folder, 'data/publication.db');
  const { stderr } = await runHere(folder, ['status']);
  disk.closed = '';
  expect(stderr).toMatch(
    /: This user may not read the database .*\.db \(EACCES\)\.\n.*"chown"\.$/m,
  );
});

test('what the system refuses is said in words, with the closed folder, its code and a hint', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'x/y');
  const saidOf = (code: string, syscall: string): unknown =>
    asDiskError(Object.assign(new Error(code), { code, syscall, path }), FILE_FAILED);
  for (const closed of [folder, join(folder, 'x')]) {
    mkdirSync(closed, { recursive: true });
    disk.closed = closed;
    for (const syscall of ['mkdir', 'lstat']) {
      expect(saidOf('EACCES', syscall)).toMatchObject({
        message: `A file cannot be read or written: this user has no access to ${closed} (EACCES).`,
        hint: 'Give this user access, or name another path.',
      });
    }
  }
  writeFileSync(path, '');
  disk.closed = path;
  expect(saidOf('EACCES', 'open')).toMatchObject({
    message: `A file cannot be read or written: this user may not read ${path} (EACCES).`,
  });
  disk.closed = '';
  expect(saidOf('EMFILE', 'open')).toMatchObject({
    message: `A file cannot be read or written: too many open files at open of ${path} (EMFILE).`,
    hint: expect.stringContaining('limit of open files'),
  });
});

test('a link that leads to itself is said in words', () => {
  expect(readFault('loop', Object.assign(new Error(), { code: 'ELOOP' }))).toBe(
    'loop cannot be read: too many symbolic links encountered (ELOOP).',
  );
});
