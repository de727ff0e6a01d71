// What commands and the state say where the folder of the database takes nothing, or the database is closed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { diskReason } from '../../../src/base/files/disk-error.ts';
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

test('a folder that is closed is named, and the code of the system once', () => {
  disk.closed = temporaryFolder();
  const cause = { code: 'EACCES', syscall: 'mkdir', path: join(disk.closed, 'x') };
  expect(diskReason(cause)).toBe(`: this user may not write in ${disk.closed}`);
  disk.closed = '';
});
