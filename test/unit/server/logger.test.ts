import { expect, test } from 'vitest';
import { createLogger } from '../../../src/server/logger.ts';

test('keys are censored wherever they stand in a line', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  logger.error({ err: new Error('at "/content/posts/?include=a&key=5ecret00&x=1" (GET)') });
  logger.info({ headers: { authorization: 'Ghost 5ecret00' }, key: '5ecret00' }, 'token=kept');
  logger.info('GET /newsletters/verify/?token=5ecret00');
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('5ecret00');
  expect(lines[0]).toContain('include=a&key=[secret]&x=1');
});
