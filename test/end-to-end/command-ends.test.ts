// How a command ends: at once, with its databases put away, and never well when its work did not come to an end.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { copyPublication } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

vi.setConfig({ testTimeout: 60_000 });

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init']);
  await prepress(template, ['build']);
  return folder.remove;
});

test.each(['status', 'verify', 'keys list', 'webhooks list', 'build', 'hosts write nginx'])(
  '%s leaves no log beside a database',
  async (command) => {
    const folder = copyPublication(template);
    await prepress(folder, command.split(' '));
    const left = readdirSync(join(folder, 'data')).filter((name) => /-(?:wal|shm)$/.test(name));
    expect(left).toEqual([]);
  },
);

test('one that waits for what cannot come any more has failed', async () => {
  const folder = copyPublication(template);
  const preload = join(folder, 'silent.mjs');
  writeFileSync(
    preload,
    `import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
childProcess.spawn = () =>
  Object.assign(new EventEmitter(), { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() });
syncBuiltinESMExports();
`,
  );
  const { code } = await runPrepress(folder, ['deploy', 'exec:cat'], {
    environment: { NODE_OPTIONS: `--import ${preload}` },
  });
  expect(code).toBe(13);
});
