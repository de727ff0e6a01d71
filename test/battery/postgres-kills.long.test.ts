// Three servers of one publication in PostgreSQL, one of which is killed or frozen at any time, while PostgreSQL starts again
// twice and a standby takes over: what was saved anywhere is shown everywhere and told of, never before it is shown, another
// server leads soon, and none announces that no longer leads.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { type Delivered, listenForDeliveries } from '../helpers/receiver.ts';
import { CONTENT } from '../helpers/serve.ts';
import { describePostgres } from '../matrix/postgres-process.ts';
import { startProxy } from '../matrix/postgres-proxy.ts';
import { leaderOf, namedAt, postgresSites, watchLeaders } from '../matrix/postgres-sites.ts';
import {
  type Machine,
  numberOf,
  readSaved,
  type SavedPost,
  savePost,
  shownNumber,
  startMachine,
  strike,
} from './checks/servers-struck.ts';
import { sayRow, sized, untilAllEnd } from './size.ts';

const SERVERS = 3;
const WRITERS = 4;
const POSTS_EACH = 12;
const EVENTS = ['post.published', 'post.published.edited'];
const PATHS = ['/one', '/other'];
const SIZE = sized({ short: { edits: 150, strikes: 4 }, long: { edits: 5_000, strikes: 60 } });
/** Of the long form. */
const TIMEOUT_MS = 3_600_000;
const TAKE_OVER_MS = 10_000;

type Edit = { readonly id: string; readonly number: number };
type Early = Edit & { readonly shown: number; readonly pid: number };

/** It was silent for longer than webhooks wait, and a log says so. */
const isNamed = (logs: string, { pid }: Early): boolean =>
  new RegExp(`"lacking":\\[[^\\]]* ${pid}"`).test(logs);

describePostgres((server, suiteFolder) => {
  const { environmentOf, machine, moved, carryBack, freezeLeader } = postgresSites(
    server,
    suiteFolder,
  );

  const query = async <Row>(address: string, sql: string): Promise<Row[]> => {
    const client = await server.connect(address);
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };

  const startAll = async () => {
    // Where a standby that took over is found, too.
    const proxy = await startProxy(new URL(await moved()));
    const { address } = proxy;
    const client = await server.connect(address);
    await watchLeaders(client);
    await client.end();
    const machines: Machine[] = [];
    for (let at = 0; at < SERVERS; at += 1) {
      const own = environmentOf(namedAt(address, `server-${at}`));
      // Pictures in sizes are no part of a clean build.
      machines.push(await startMachine(machine(), { ...own, PREPRESS_IMAGES_SIZES: '' }));
    }
    return { address, proxy, machines };
  };

  test(`servers are killed and frozen, PostgreSQL starts again and fails over (seed ${SEED})`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const random = createRandom(SEED);
    const pick = <Item>(items: readonly Item[]): Item =>
      items[Math.floor(random() * items.length)] as Item;
    const { address, proxy, machines } = await startAll();
    const standby = await server.standBy();
    const facts = { 'no answer': 0, killed: 0, frozen: 0, 'leaders struck': 0 };

    // Who tells of a post asks each server for it.
    const listener = await listenForDeliveries();
    onTestFinished(listener.close);
    const early: Early[] = [];
    const heard = new Map<string, number>();
    const postOf = ({ body }: Delivered): Edit => {
      const { current } = body.post as { current: { id: string; title: string } };
      return { id: current.id, number: numberOf(current.title) };
    };
    listener.respond = (response, delivered) => {
      const { id, number } = postOf(delivered);
      const look = async (at: Machine): Promise<void> => {
        const { pid } = at.serving;
        if (!at.isWhole) return;
        const shown = await shownNumber(at, id);
        if (shown === null || shown >= number || !at.isWhole || at.serving.pid !== pid) return;
        early.push({ id, number, shown, pid });
      };
      void Promise.all(machines.map(look)).then(() => {
        const key = `${delivered.path} ${id}`;
        heard.set(key, Math.max(heard.get(key) ?? 0, number));
        response.writeHead(200).end('ok');
      });
    };
    const [first] = machines as [Machine];
    for (const event of EVENTS)
      for (const path of PATHS) await listener.subscribe(first.serving, event, path);

    const saved: Edit[] = [];
    const newestOf = new Map<string, number>();
    let begun = 0;
    let writers = 0;
    const edit = async (known: SavedPost | null, title: string): Promise<SavedPost> => {
      for (let last = known; ; ) {
        const post = await savePost(pick(machines), title, last);
        if (post !== null) return post;
        facts['no answer'] += 1;
        if (known !== null) last = await eventually(() => readSaved(pick(machines), known.id));
      }
    };
    const write = async (): Promise<void> => {
      const posts: SavedPost[] = [];
      writers += 1;
      try {
        while (begun < SIZE.edits) {
          begun += 1;
          const number = begun;
          const at = Math.min(posts.length, Math.floor(random() * POSTS_EACH));
          const post = await edit(posts[at] ?? null, `Edit ${number}`);
          posts[at] = post;
          saved.push({ id: post.id, number });
          newestOf.set(post.id, number);
        }
      } finally {
        writers -= 1;
      }
    };

    /** However long the edits take, each comes in time. */
    const isAfter = (edits: number) => async (): Promise<void> => {
      while (saved.length < edits && writers > 0) {
        const before = saved.length;
        await eventually(() => expect(saved.length > before || writers === 0).toBe(true));
      }
    };
    const nameOfLeader = async (): Promise<string> => {
      const [row] = await query<{ name: string }>(
        address,
        `SELECT s.name FROM leader l JOIN servers s ON split_part(l.holder, '/', 1) = s.id
         WHERE l.until > clock_timestamp()`,
      );
      return row?.name ?? '';
    };
    /** It is waited for once its row is fresh; what was announced before that was committed by then. */
    const untilShown = async ({ serving }: Machine): Promise<void> => {
      const shows = (seq: string) =>
        eventually(async () => {
          const rows = await query(
            address,
            `SELECT FROM servers WHERE name LIKE '% ${serving.pid}' AND seq >= ${seq}
             AND seen_at > clock_timestamp() - interval '3 s'`,
          );
          expect(rows.length).toBe(1);
        }, `${seq} at the server that is back`);
      await shows('0');
      const [row] = await eventually(() =>
        query<{ seq: string }>(address, 'SELECT max(last_seq) AS seq FROM commits'),
      );
      await shows(row?.seq ?? '0');
    };
    const struck = async (kind: 'SIGKILL' | 'SIGSTOP', isOfLeader: boolean): Promise<void> => {
      const { leader, at } = await eventually(async () => {
        const name = await nameOfLeader();
        const leads = ({ serving }: Machine) => name.endsWith(` ${serving.pid}`);
        expect(machines.some(leads)).toBe(true);
        return { leader: name, at: pick(machines.filter((one) => leads(one) === isOfLeader)) };
      });
      facts[kind === 'SIGKILL' ? 'killed' : 'frozen'] += 1;
      facts['leaders struck'] += isOfLeader ? 1 : 0;
      const goOn = isAfter(saved.length + Math.ceil(random() * 20));
      const until = async (): Promise<void> => {
        await goOn();
        // A leader that is back before the others stand goes on.
        if (isOfLeader)
          await eventually(
            async () => expect(['', leader]).not.toContain(await nameOfLeader()),
            100,
          );
      };
      await strike(at, { kind, until, untilShown });
    };
    const disturb = async (): Promise<void> => {
      for (let round = 0; round < SIZE.strikes; round += 1) {
        await isAfter((SIZE.edits * (round + 1)) / (SIZE.strikes + 1))();
        await struck(round % 2 === 0 ? 'SIGSTOP' : 'SIGKILL', round % 3 !== 0);
      }
    };
    const disturbPostgres = async (): Promise<void> => {
      const takeOver = async () => proxy.leadTo(await standby.takeOver());
      for (const [at, disturbOnce] of [server.restart, takeOver, server.restart].entries()) {
        await isAfter((SIZE.edits * (at + 1)) / 4)();
        await disturbOnce();
      }
    };
    await untilAllEnd([...Array.from({ length: WRITERS }, write), disturb(), disturbPostgres()]);

    await eventually(() => {
      const isHeard = ({ id, number }: Edit) =>
        PATHS.every((path) => (heard.get(`${path} ${id}`) ?? 0) >= number);
      expect(saved.filter((one) => !isHeard(one))).toEqual([]);
    }, 'what was saved to be told of');
    const takeOvers = await query<{ ms: number }>(
      address,
      'SELECT after_ms AS ms FROM watch.takeovers ORDER BY after_ms',
    );
    const announced = await query<{ name: string; is_late: boolean }>(
      address,
      'SELECT name, is_late FROM watch.announced',
    );
    const named = machines.flatMap(({ logs }) => logs.map((log) => log())).join('');
    const { received, faults } = listener;
    sayRow(`${SERVERS} servers on PostgreSQL, seed ${SEED}`, {
      edits: saved.length,
      ...facts,
      deliveries: received.length,
      doubles: received.length - new Set(received.map(({ id }) => id)).size,
      'early at a server that was named': early.filter((one) => isNamed(named, one)).length,
      announcements: announced.length,
      'take-overs': takeOvers.length,
      'ms at most until another one led': Math.round(takeOvers.at(-1)?.ms ?? 0),
    });
    expect(faults).toEqual([]);
    expect(early.filter((one) => !isNamed(named, one))).toEqual([]);
    expect(announced.filter((one) => one.is_late)).toEqual([]);
    expect(takeOvers.length).toBeGreaterThanOrEqual(facts['leaders struck']);
    expect(takeOvers.at(-1)?.ms).toBeLessThanOrEqual(TAKE_OVER_MS);

    const again = await carryBack(address);
    const title = again.prepare('SELECT title FROM posts WHERE id = ?').pluck();
    const lost = [...newestOf].filter(([id, number]) => title.get(id) !== `Edit ${number}`);
    expect(lost).toEqual([]);
    const clean = await cleanTree(again, environmentOf(address).PREPRESS_SITE_URL);
    for (const { folder } of machines)
      await eventually(() => expectTree(join(folder, CONTENT), clean), 200);
  });

  test('another server leads soon where the one before is frozen at the commit of its announcement', async () => {
    const { client } = await freezeLeader('seal');
    await eventually(async () => expect(await leaderOf(client)).toBe('other'));
    const { rows } = await client.query('SELECT after_ms AS ms FROM watch.takeovers');
    expect(rows.map(({ ms }) => ms <= TAKE_OVER_MS)).toEqual([true]);
  });
});
