// What is dropped as old, by a clock that jumps.
import { expect, test } from 'vitest';
import { beginAnnouncing } from '../../../../src/publication/store/log/publishing.ts';
import { createHousekeeping } from '../../../../src/publish/webhooks/sending/housekeeping.ts';
import { createOutbox } from '../../../helpers/outbox.ts';
import { startReceiver } from '../../../helpers/receiver.ts';

const DAY = 24 * 3_600_000;
const YEAR = 365 * DAY;

/** One delivery arrived, and its body is stored; one waits for its webhook to be enabled again. */
const createScene = async () => {
  const outbox = await createOutbox();
  const { clock, shell, store } = outbox;
  await beginAnnouncing(store, clock.now());
  await outbox.subscribe((await startReceiver()).url);
  await outbox.queue(1);
  await outbox.deliverer().drainOnce();
  shell.exec(`INSERT INTO event_bodies (id, sha256, body) VALUES (1, x'00', x'00');
    UPDATE events SET body_id = 1`);
  await outbox.queue(1);
  shell.exec("UPDATE webhooks SET status = 'disabled'");
  const bodies = shell.prepare('SELECT count(*) FROM event_bodies').pluck();
  return async (ms: number) => {
    clock.move(ms);
    // Another program each time: none remembers when it looked last.
    await createHousekeeping({ store, clock, redeliveryDays: 7 }).purgeWhenDue();
    return [outbox.deliveries().length, bodies.get()];
  };
};

test.each([
  ['no jump', []],
  ['years ahead, and back', [14 * YEAR, DAY / 24, -14 * YEAR]],
  ['years ahead for good', [14 * YEAR, DAY / 24]],
  ['1970, and back', [-56 * YEAR, DAY / 24, 56 * YEAR]],
  ['a rest of a month', [31 * DAY]],
])(
  'bodies are dropped after 7 days and deliveries after 30, counted from a jump: %s',
  async (_, jumps) => {
    const sweep = await createScene();
    for (const ms of [DAY, ...jumps]) expect(await sweep(ms)).toEqual([2, 1]);
    const days = [];
    for (let day = 1; day <= 31; day += 1) days.push((await sweep(DAY)).join());
    expect([days.indexOf('2,0') + 1, days.indexOf('0,0') + 1]).toEqual([7, 30]);
  },
);
