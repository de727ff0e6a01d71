// The unit for systemd, rated by systemd itself: 0 is shut, 10 is open.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const UNIT = join(import.meta.dirname, '../../../packaging/prepress.service');
const RATING_MAX = 3;

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;
const HINT = 'needs systemd-analyze: apt-get install systemd';

const rate = (text: string): number => {
  const file = join(temporaryFolder(), 'prepress.service');
  writeFileSync(file, text);
  const args = ['security', '--offline=true', '--no-pager', file];
  const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return Number(/exposure level for \S+ (\d+\.\d)/.exec(stdout)?.[1]);
};

const unit = readFileSync(UNIT, 'utf8');

test.skipIf(!isThere)(`the unit is rated below ${RATING_MAX} (${HINT})`, () => {
  expect(rate(unit)).toBeLessThan(RATING_MAX);
});

test.skipIf(!isThere)(`a unit without its bounds is rated higher (${HINT})`, () => {
  const open = unit.replace(
    /^(?:Protect|Private|Restrict|SystemCall|CapabilityBoundingSet).*\n/gm,
    '',
  );
  expect(rate(open)).toBeGreaterThan(RATING_MAX);
});

test('the unit lets the server write its three folders, compile and raise its limit of files', () => {
  const folders = '/srv/prepress/data /srv/prepress/output /srv/prepress/media\n';
  expect(unit).toContain(`ReadWritePaths=${folders}`);
  expect(unit).toContain(`ExecStartPre=+/usr/bin/install -d -o prepress -g prepress ${folders}`);
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
  expect(unit).not.toMatch(/^SystemCallFilter=~.*@resources/m);
});
