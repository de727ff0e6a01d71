import { expect, test } from 'vitest';
import { createTargetConcurrency } from '../../../../src/publish/webhooks/sending/concurrency-per-target.ts';

const due = (webhookId: string, host: string) => ({
  webhookId,
  targetUrl: `https://${host}/${webhookId}`,
});

test('two to a webhook, four to a host, sixteen in all', () => {
  const slots = createTargetConcurrency();
  expect(slots.pick([due('a', 'one.test')])).toEqual([{ webhookId: 'a', limit: 2 }]);
  const sameHost = ['a', 'b', 'c'].map((id) => due(id, 'one.test'));
  expect(slots.pick(sameHost)).toEqual([
    { webhookId: 'a', limit: 2 },
    { webhookId: 'b', limit: 2 },
  ]);
  const many = Array.from({ length: 10 }, (_, index) => due(`w${index}`, `host${index}.test`));
  expect(slots.pick(many)).toHaveLength(8);
  slots.take({ id: '1', ...due('a', 'one.test') });
  slots.take({ id: '2', ...due('b', 'one.test') });
  expect(slots.pick(sameHost)).toEqual([
    { webhookId: 'a', limit: 1 },
    { webhookId: 'b', limit: 1 },
  ]);
  slots.release({ id: '1', ...due('a', 'one.test') });
  expect(slots.held()).toEqual(['2']);
  expect(slots.pick([due('a', 'one.test')])).toEqual([{ webhookId: 'a', limit: 2 }]);
});

test('another port is another server', () => {
  const slots = createTargetConcurrency();
  for (const id of ['1', '2', '3', '4']) slots.take({ id, ...due(`w${id}`, 'one.test:8001') });
  expect(slots.pick([due('good', 'one.test:8002'), due('same', 'one.test:8001')])).toEqual([
    { webhookId: 'good', limit: 2 },
  ]);
});
