// What is said of an output that a web server, which runs as another user, cannot read.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeClosed } from '../../../../src/publish/hosts/placing/closed-folders.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('what is closed in the output is counted, but for work under way', () => {
  const output = temporaryFolder();
  const put = (folder: string, mode: number): void => {
    mkdirSync(join(output, folder), { recursive: true });
    writeFileSync(join(output, folder, 'index.json'), '');
    chmodSync(join(output, folder, 'index.json'), mode);
  };
  put('content/posts', 0o644);
  put('.prepress-pages', 0o600);
  symlinkSync('/nowhere', join(output, 'link'));
  expect(describeClosed(output)).toBe(null);
  put('content/tags', 0o640);
  expect(describeClosed(output)).toMatch(
    /^other users cannot read \S+content\/tags\/index[.]json, .+ "chmod -R o[+]rX \S+"[.]$/,
  );
  chmodSync(join(output, 'content/posts'), 0o750);
  expect(describeClosed(output)).toContain('read 2 files or folders, such as ');
  expect(describeClosed(join(output, 'none'))).toBe(null);
});
