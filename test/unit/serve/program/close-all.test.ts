// What is left open would keep a program from ending.
import { expect, test } from 'vitest';
import { closeAll } from '../../../../src/serve/program/close-all.ts';

test('all is closed in order, also after a part that fails, whose error is thrown', async () => {
  const closed: string[] = [];
  const part = (name: string, fault?: Error) => ({
    close: async () => {
      closed.push(name);
      if (fault !== undefined) throw fault;
    },
  });
  const fault = new Error('full');
  await expect(
    closeAll(part('app'), part('lock', fault), part('store', new Error('later'))),
  ).rejects.toBe(fault);
  expect(closed).toEqual(['app', 'lock', 'store']);
});
