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
  expect(summary).toContain('121 events');
});

test('what was in flight when the program was killed is sent by the next one', async () =>
  checkRestart(await bundle()));

test('a hanging receiver with a hundred deliveries holds up no other', async () =>
  checkNeighbour(await bundle()));

test('two programs on one outbox try each delivery once', async () =>
  checkTwoPrograms(await bundle()));
