// The deliverer killed at any moment, restarted, run twice, and beside a bad receiver: the short form. The
// long one, with the server, and sabotaged programs are in test/battery.
import { expect, test } from 'vitest';
import {
  checkKills,
  checkNeighbour,
  checkRestart,
  checkTwoPrograms,
} from '../battery/checks/delivery.ts';
import { bundleProgram } from '../battery/program.ts';
import { SEED } from '../helpers/random.ts';

const bundle = () => bundleProgram('test/failure/delivery-child.ts');

test('no event is lost however often the program is killed', async () => {
  const summary = await checkKills(await bundle(), { kills: 12, events: 120, seed: SEED });
  console.log(summary);
  expect(summary).toContain('120 events');
});

test('what was in flight when the program was killed is sent by the next one', async () =>
  checkRestart(await bundle()));

test('a hanging receiver with a hundred deliveries holds up no other', async () =>
  checkNeighbour(await bundle()));

test('two programs on one outbox try each delivery once', async () =>
  checkTwoPrograms(await bundle()));

test('catches: a claim that counts as the delivery', async () => {
  const program = await bundleProgram('test/failure/delivery-child.ts', [
    {
      file: 'src/store/deliveries.ts',
      replace: 'UPDATE deliveries SET lease_owner',
      by: "UPDATE deliveries SET state = 'done', lease_owner",
    },
  ]);
  await expect(checkKills(program, { kills: 4, events: 40, seed: 3 })).rejects.toThrow();
});
