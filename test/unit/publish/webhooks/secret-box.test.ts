import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretBox } from '../../../../src/publication/store/access/secrets.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('the key file is made once, for its owner only, and opens what it sealed', () => {
  const path = join(temporaryFolder(), 'data', 'secret.key');
  const sealed = openSecretBox(path).seal('whsec_ü');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, 'utf8');
  expect(openSecretBox(path).open(sealed)).toBe('whsec_ü');
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(sealed.includes('whsec')).toBe(false);
});

test('another key, a changed byte and a broken key file say so', () => {
  const folder = temporaryFolder();
  const box = openSecretBox(join(folder, 'a.key'));
  const sealed = box.seal('x');
  const other = openSecretBox(join(folder, 'b.key'));
  expect(() => other.open(sealed)).toThrow(/not the one/);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => box.open(sealed)).toThrow(/not the one/);
  writeFileSync(join(folder, 'c.key'), 'nonsense');
  expect(() => openSecretBox(join(folder, 'c.key'))).toThrow(/no key/);
  const unreadable = expect.objectContaining({ code: 'SECRET_KEY_UNUSABLE' });
  expect(() => openSecretBox(folder)).toThrow(unreadable);
});
