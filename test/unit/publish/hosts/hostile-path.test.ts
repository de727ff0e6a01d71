// Raw paths that the rules of hosts refuse by one pattern, in forms that not every server lets a test send.
import { expect, test } from 'vitest';
import { HOSTILE_PATH } from '../../../../src/publish/hosts/rules/addresses.ts';

test.each(['', '?x', '/', '#', '#x'])('settings of hosts are refused before "%s"', (end) => {
  expect(`/content/wrangler.toml${end}`).toMatch(new RegExp(HOSTILE_PATH));
  expect(`/content/wrangler.tomlx${end}`).not.toMatch(new RegExp(HOSTILE_PATH));
});
