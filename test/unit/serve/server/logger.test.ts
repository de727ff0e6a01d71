import { expect, test } from 'vitest';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';

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
