// The checks of the deliverer on programs that were sabotaged: each must be noticed.
import { expect, test } from 'vitest';
import { checkKills, checkNeighbour, checkRestart, checkTwoPrograms } from './checks/delivery.ts';
import { bundleProgram, type Sabotage } from './program.ts';

const killed = (program: string) => checkKills(program, { kills: 4, events: 80, seed: 3 });

type Row = {
  readonly name: string;
  readonly check: (program: string) => Promise<unknown>;
  readonly sabotages: readonly Sabotage[];
};

const tryDelivery = 'src/delivery/try-delivery.ts';
const slots = 'src/delivery/slots.ts';

const ROWS: readonly Row[] = [
  {
    name: 'an id of its own for each attempt',
    check: killed,
    sabotages: [
      {
        file: tryDelivery,
        replace: 'sendAttempt({ id,',
        by: 'sendAttempt({ id: id + delivery.attempts,',
      },
    ],
  },
  {
    name: 'attempts that are not written down',
    check: killed,
    sabotages: [
      {
        file: tryDelivery,
        replace: 'const reason = await store.write((writer) =>',
        by: 'const reason = await (async (_: unknown) => null)((writer: never) =>',
      },
    ],
  },
  {
    name: 'a failure that counts as a success',
    check: killed,
    sabotages: [
      {
        file: tryDelivery,
        replace: "if (error === null) return { kind: 'done' };",
        by: "return { kind: 'done' };",
      },
    ],
  },
  {
    name: 'redirects and client errors that count as a success',
    check: killed,
    sabotages: [
      {
        file: 'src/delivery/attempt.ts',
        replace: 'seen.status >= 200 && seen.status < 300',
        by: 'seen.status >= 200 && seen.status < 500',
      },
    ],
  },
  {
    name: 'a claim that counts as the delivery',
    check: checkRestart,
    sabotages: [
      {
        file: 'src/store/deliveries.ts',
        replace: 'UPDATE deliveries SET lease_owner',
        by: "UPDATE deliveries SET state = 'done', lease_owner",
      },
    ],
  },
  {
    name: 'leases of the dead that are kept',
    check: checkRestart,
    sabotages: [
      { file: 'src/delivery/housekeeping.ts', replace: 'dead.length > 0', by: 'dead.length < 0' },
    ],
  },
  {
    name: 'a claim without a lease',
    check: checkTwoPrograms,
    sabotages: [{ file: 'src/store/deliveries.ts', replace: 'now + LEASE_MS}\n', by: '0}\n' }],
  },
  {
    name: 'no bounds for a webhook and a host',
    check: checkNeighbour,
    sabotages: [
      { file: slots, replace: 'const PER_WEBHOOK = 2;', by: 'const PER_WEBHOOK = 99;' },
      { file: slots, replace: 'const PER_HOST = 4;', by: 'const PER_HOST = 99;' },
    ],
  },
];

test.each(ROWS)('catches: $name', async ({ check, sabotages }) => {
  const program = await bundleProgram('test/failure/delivery-child.ts', sabotages);
  await expect(check(program)).rejects.toThrow(/expected/);
});
