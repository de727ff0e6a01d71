// A webhook's receiver that keeps books: each POST is checked against both signatures.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type Received, startReceiver } from './receiver.ts';
import type { Serving } from './serve.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwYmFzZTY0';

export type Noticed = {
  readonly id: string;
  readonly event: string;
  readonly generation: number;
  readonly at: number;
  /** The post or page that it names; of one that is gone, as it was. */
  readonly record: Readonly<Record<string, unknown>>;
};

export type Subscriber = {
  readonly url: string;
  readonly noticed: Noticed[];
  readonly of: (event: string) => Noticed[];
  /** Waits until that many POSTs of the event came, and for the time in which more would. */
  readonly settle: (event: string, count: number) => Promise<Noticed[]>;
  readonly subscribe: (serving: Pick<Serving, 'admin'>, events: readonly string[]) => Promise<void>;
};

/** Longer than a settle and a build of a small publication. */
const QUIET_MS = 600;

export const startSubscriber = async (): Promise<Subscriber> => {
  const noticed: Noticed[] = [];
  const faults: unknown[] = [];
  const receiver = await startReceiver((response, received) => {
    try {
      noticed.push(notice(received));
    } catch (error) {
      faults.push(error);
    }
    response.writeHead(200).end('ok');
  });
  const of = (event: string): Noticed[] => noticed.filter((one) => one.event === event);
  return {
    url: receiver.url,
    noticed,
    of,
    settle: async (event, count) => {
      await eventually(() => expect(of(event).length).toBeGreaterThanOrEqual(count));
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      expect(faults).toEqual([]);
      return of(event);
    },
    subscribe: async (serving, events) => {
      for (const event of events) {
        const webhook = { event, target_url: receiver.url, secret: SECRET };
        await serving.admin('POST', '/webhooks/', { webhooks: [webhook] });
      }
    },
  };
};

type Shown = Readonly<Record<'current' | 'previous', Readonly<Record<string, unknown>>>>;
type Body = {
  readonly event: string;
  readonly generation: number;
  readonly post?: Shown;
  readonly page?: Shown;
};

const notice = ({ headers, body, at }: Received): Noticed => {
  new Webhook(SECRET).verify(body, headers);
  const [, digest, time] = /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(
    headers['x-ghost-signature'] ?? '',
  ) ?? [''];
  expect(digest).toBe(createHmac('sha256', SECRET).update(`${body}${time}`).digest('hex'));
  const { event, generation, post, page } = JSON.parse(body) as Body;
  const shown = post ?? page;
  const record = shown?.current.id === undefined ? (shown?.previous ?? {}) : shown.current;
  return { id: headers['webhook-id'] ?? '', event, generation, at, record };
};
