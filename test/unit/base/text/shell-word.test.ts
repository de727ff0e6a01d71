import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../../../src/base/text/shell-word.ts';

test('a shell reads the word as the path; a plain path stays as it is', () => {
  for (const path of ['my site', "it's", '$HOME/a', '~', 'a"b', '`id`', 'é', 'a;b', 'a\\b', '']) {
    const read = execFileSync('sh', ['-c', `printf %s ${shellWord(path)}`], { encoding: 'utf8' });
    expect(read).toBe(path);
  }
  expect(shellWord('../my-site_2/v1.0')).toBe('../my-site_2/v1.0');
});
