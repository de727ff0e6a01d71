// The command of a clone is in npm's cache before the first `npx prepress`, which may be interrupted.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/prepare-npx.js');

test('what npx needs to run the command of a clone is installed, and its own scripts do not run again', () => {
  const [clone, cache] = [temporaryFolder(), temporaryFolder()];
  const scripts = { prepare: "node -e \"fs.writeFileSync('again', '')\"" };
  const facts = { name: 'a-clone', version: '1.0.0', bin: { prepress: 'command.js' }, scripts };
  writeFileSync(join(clone, 'package.json'), JSON.stringify(facts));
  writeFileSync(join(clone, 'command.js'), "#!/usr/bin/env node\nconsole.log('1.0.0');\n");
  const env = { ...process.env, npm_config_cache: cache };
  spawnSync(process.execPath, [SCRIPT], { cwd: clone, env });
  const [installed] = readdirSync(join(cache, '_npx'));
  const path = join(cache, '_npx', String(installed));
  expect(readdirSync(join(path, 'node_modules/.bin'))).toEqual(['prepress']);
  expect(existsSync(join(path, 'package.json'))).toBe(true);
  expect(existsSync(join(clone, 'again'))).toBe(false);
});
