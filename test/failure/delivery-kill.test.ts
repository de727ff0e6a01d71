// The deliverer killed at any moment, restarted, run twice, and beside a bad receiver. test/battery/server-kill does it
// with the server.
import { test } from 'vitest';
import {
  checkKills,
  checkNeighbour,
  checkRestart,
  checkTwoPrograms,
} from '../battery/checks/delivery.ts';
import { bundleProgram } from '../battery/program.ts';
import { sized } from '../battery/size.ts';
import { SEED } from '../helpers/random.ts';

const bundle = () => bundleProgram('test/failure/delivery-child.ts');

test('no event is lost however often the program is killed', async () => {
  const size = sized({ short: { kills: 4, events: 40 }, long: { kills: 100, events: 1_000 } });
  console.log(await checkKills(await bundle(), { ...size, seed: SEED }));
});

test('what was in flight when the program was killed is sent by the next one', async () =>
  checkRestart(await bundle()));

test('a hanging receiver with a hundred deliveries holds up no other', async () =>
  checkNeighbour(await bundle()));

test('two programs on one outbox try each delivery once', async () =>
  checkTwoPrograms(await bundle()));
