import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { loggedPath } from '../../../../src/serve/server/log/request-log.ts';

test('keys are censored where an error quotes them and where they have their own name', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  logger.error({ err: new Error('at "/content/posts/?include=a&key=5ecret00&x=1" (GET)') });
  logger.info({ headers: { authorization: 'Ghost 5ecret00' }, key: '5ecret00' }, 'token=kept');
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain('5ecret00');
  expect(lines[0]).toContain('include=a&key=[secret]&x=1');
  // The one link that the administrator is to find there.
  logger.warn({ link: 'https://site.test/newsletters/verify/?token=mailed' }, 'kept');
  expect(lines[2]).toContain('?token=mailed');
});

test('a stack is short, and an error of the catalogue needs none', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  logger.error({ err: new Error('x'.repeat(100_000)) });
  logger.error({ err: new PrepressError('NOT_FOUND', 'Gone.') });
  logger.error({ err: new PrepressError('PAGES_INVALID', 'A.', { cause: new Error('B') }) });
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  logger.error({ err: full });
  const [long, known, rests, ofDisk] = lines.map((line) => JSON.parse(line).err);
  expect(long.stack.length).toBeLessThan(10_000);
  expect(known).toMatchObject({ code: 'NOT_FOUND', message: 'Gone.' });
  expect(known).not.toHaveProperty('stack');
  expect(rests.stack).toContain('B');
  expect(ofDisk).toMatchObject({ code: 'DATABASE_UNWRITABLE' });
  expect(ofDisk).not.toHaveProperty('stack');
});

test('addresses and secrets of any kind are masked in paths, and slugs are not', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.AbC-_d';
  for (const [path, logged] of [
    [`/desk/${token}`, '/desk/[secret]'],
    [`/desk/${token}/x`, '/desk/[secret]/x'],
    [`/x/${'0aF'.repeat(9)}`, '/x/[secret]'],
    ['/members/ann%40example.org', '/members/[address]'],
    ['/eyjafjallajokull-erupts', '/eyjafjallajokull-erupts'],
  ] as const)
    expect(loggedPath(path)).toBe(logged);
});
