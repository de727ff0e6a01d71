// A webhook's receiver that keeps books: each POST is checked against both signatures, and it reads what
// the POST names before it answers.
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
  /** What reading the record gave while the POST waited for its answer. */
  readonly seen: unknown;
};

export type Subscriber = {
  readonly url: string;
  readonly noticed: Noticed[];
  readonly of: (event: string) => Noticed[];
  /** Waits until that many POSTs of the event came, and for the time in which more would. */
  readonly settle: (event: string, count: number) => Promise<Noticed[]>;
  readonly subscribe: (serving: Pick<Serving, 'admin'>, events: readonly string[]) => Promise<void>;
};

type Look = (record: Noticed['record']) => Promise<unknown>;

/** Longer than a settle and a build of a small publication. */
const QUIET_MS = 600;

export const startSubscriber = async (look: Look = async () => null): Promise<Subscriber> => {
  const noticed: Noticed[] = [];
  const faults: unknown[] = [];
  const receiver = await startReceiver(async (response, received) => {
    try {
      noticed.push(await notice(received, look));
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

const notice = async ({ headers, body, at }: Received, look: Look): Promise<Noticed> => {
  new Webhook(SECRET).verify(body, headers);
  const [, digest, time] = /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(
    headers['x-ghost-signature'] ?? '',
  ) ?? [''];
  expect(digest).toBe(createHmac('sha256', SECRET).update(`${body}${time}`).digest('hex'));
  const { event, generation, post, page } = JSON.parse(body) as Body;
  const shown = post ?? page;
  const record = shown?.current.id === undefined ? (shown?.previous ?? {}) : shown.current;
  const seen = await look(record);
  return { id: headers['webhook-id'] ?? '', event, generation, at, record, seen };
};

/** Reads the named post over HTTP; what is seen is the status and the record. */
export const readPost =
  ({ get, contentKey }: Pick<Serving, 'get' | 'contentKey'>): Look =>
  async ({ id }) => {
    if (id === undefined) return null;
    const response = await get(`/content/posts/${id}/?key=${contentKey}`);
    const { posts } = (await response.json()) as { posts?: unknown[] };
    return { status: response.status, post: posts?.[0] };
  };
