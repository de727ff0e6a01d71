// How a command ends: at once, with its databases put away, and never well when its work did not come to an end.
import { beforeAll, expect, test } from 'vitest';
import { findLogs, withSilentChildren } from '../helpers/command-ends.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { copyPublication } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

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
    expect(findLogs(folder)).toEqual([]);
  },
);

test('one that waits for what cannot come any more has failed', async () => {
  const folder = copyPublication(template);
  const { code } = await runPrepress(folder, ['deploy', 'exec:cat'], {
    environment: withSilentChildren(folder),
  });
  expect(code).toBe(13);
});
