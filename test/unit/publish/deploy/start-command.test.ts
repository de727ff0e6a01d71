import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCommand } from '../../../../src/publish/deploy/exec/start-command.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
};

/** Starts `command`, whose group is ended with the test. */
const started = (command: string): ChildProcess => {
  const child = startCommand(command, { isOwnGroup: true });
  onTestFinished(() => {
    if (child.pid !== undefined && isAlive(child.pid)) process.kill(-child.pid, 'SIGKILL');
  });
  return child;
};

describe.skipIf(process.platform === 'win32')('a command in a group of its own', () => {
  test('gets its input and exits as it does', async () => {
    const file = join(temporaryFolder(), 'input');
    const child = started(`cat > '${file}'; exit 7`);
    child.stdin?.end('changed');
    expect(await once(child, 'close')).toEqual([7, null]);
    expect(readFileSync(file, 'utf8')).toBe('changed');
  });

  test.each([true, false])(
    'makes files as this program was asked to (own group: %s)',
    async (isOwnGroup) => {
      const file = join(temporaryFolder(), 'mask');
      const given = process.umask(0o011);
      onTestFinished(() => void process.umask(given));
      await once(startCommand(`umask > '${file}'`, { isOwnGroup }), 'close');
      expect(Number.parseInt(readFileSync(file, 'utf8'), 8)).toBe(given);
    },
  );

  test('is ended, with what it started, when this program is gone', async () => {
    const file = join(temporaryFolder(), 'ids');
    const child = started(`sleep 600 & echo $$ $! > '${file}'; wait`);
    const ids = await eventually(() => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      expect(text).toMatch(/\n$/);
      return text.trim().split(' ').map(Number);
    });
    const closed = once(child, 'close');
    // As the system does with what a program had open.
    const [, , , lifeline] = child.stdio;
    if (lifeline instanceof Socket) lifeline.destroy();
    expect(await closed).toEqual([null, 'SIGTERM']);
    await eventually(() => expect(ids.filter(isAlive)).toEqual([]));
  });
});
