// What several servers on one publication in PostgreSQL do beside saving and leading: previews, a pooler, commands beside them,
// their state, and saves while PostgreSQL is away.
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { type Serving, signToken } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describePostgres, pgbouncerReason, startPgbouncer } from './postgres-process.ts';
import { postgresSites } from './postgres-sites.ts';

describePostgres((server, suiteFolder) => {
  const { environmentOf, machine, moved, start, save } = postgresSites(server, suiteFolder);
  const sees = (at: Serving, slug: string) =>
    eventually(async () => {
      const answer = await at.get(`/content/posts/slug/${slug}/?key=${at.contentKey}`);
      expect(answer.status).toBe(200);
    }, `the post ${slug}`);

  test('a link to a preview of one server opens at another, until all are revoked', async () => {
    const address = await moved();
    const environment = { ...environmentOf(address), PREPRESS_PREVIEW_LINKS: 'on' };
    const [one, other] = [await start(address, environment), await start(address, environment)];
    const { id } = await save(one, { title: 'Not yet' });
    const made = await one.admin('POST', `/posts/${id}/preview/`, { preview: {} });
    const { url } = (made as { preview: { url: string } }).preview;
    const path = url.slice(one.url.length).replace('/page/', '/');
    expect((await other.get(path)).status).toBe(200);
    await prepress(other.folder, ['preview', '--revoke'], { environment });
    expect([(await one.get(path)).status, (await other.get(path)).status]).toEqual([403, 403]);
  });

  // The pooler passes no hints on, so a server that did not ask would answer what it read before.
  test.skipIf(pgbouncerReason() !== null)(
    'what was saved on one server an administrator reads on another at once',
    async () => {
      const address = await startPgbouncer(await moved());
      const [one, other] = [await start(address), await start(address)] as const;
      const unread: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const [at, beside] = n % 2 === 0 ? [one, other] : [other, one];
        const { id } = await save(at, { title: `Post ${n}` });
        await beside.admin('GET', `/posts/${id}/`).catch((error) => unread.push(String(error)));
      }
      expect(unread).toEqual([]);
    },
  );

  test('a command that builds may lead; others never do, and end where they cannot open', async () => {
    const address = await moved();
    const environment = environmentOf(address);
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    const hasLed = async (): Promise<boolean> => {
      const { rows } = await shell.query('SELECT FROM leader WHERE holder <> $1', ['']);
      return rows.length === 1;
    };
    const folder = machine();
    const without = await runPrepress(temporaryFolder(), ['status'], { environment });
    expect(without.stderr).toContain('secret.key');
    for (const command of [['status'], ['verify'], ['keys', 'list'], ['webhooks', 'redeliver']])
      await runPrepress(folder, command, { environment });
    expect(await hasLed()).toBe(false);
    await prepress(folder, ['build'], { environment });
    expect(await hasLed()).toBe(true);
  });

  test('each server is shown: what it does, how far it is, what differs', async () => {
    const address = await moved();
    const leader = await start(address);
    const other = await start(address, { PREPRESS_LISTS_MAX: '7' });
    const reader = await start(address, { PREPRESS_LEAD: 'never' });
    type Shown = { readonly servers: readonly Record<string, unknown>[] };
    const status = async (): Promise<Shown['servers']> => {
      const environment = environmentOf(address);
      const printed = await prepress(leader.folder, ['status', '--json'], { environment });
      return (JSON.parse(printed) as Shown).servers;
    };
    const rowOf = ({ pid }: Serving, rows: Shown['servers']) =>
      rows.find(({ name }) => String(name).endsWith(` ${pid}`));
    const same = { lag_ms: null, is_silent: false, settings_differ: [] };
    await eventually(async () => {
      const rows = await status();
      expect([leader, other, reader].map((at) => rowOf(at, rows))).toMatchObject([
        { ...same, role: 'leader' },
        { ...same, role: 'other', settings_differ: ['lists.max'] },
        { ...same, role: 'reader' },
      ]);
      expect(rows.length).toBe(3);
    });
    process.kill(reader.pid, 'SIGSTOP');
    const before = rowOf(reader, await status())?.position;
    await save(leader, { title: 'Unseen', status: 'published' });
    const { state } = (await eventually(async () => {
      const answer = (await leader.admin('GET', '/state/')) as { state: Shown };
      expect(rowOf(leader, answer.state.servers)?.position).not.toBe(before);
      return answer;
    })) as { state: Shown };
    const row = rowOf(reader, state.servers);
    expect([row?.position, row?.lagMs]).toEqual([before, expect.any(Number)]);
    await eventually(async () => expect(rowOf(reader, await status())?.is_silent).toBe(true));
    await other.end();
    expect(rowOf(other, await status())).toBe(undefined);
  });

  test('while PostgreSQL is away a save answers 503 with Retry-After, and content goes on', async () => {
    const at = await start(await moved());
    const { slug } = await save(at, { title: 'Before', status: 'published' });
    await sees(at, slug);
    await server.stop();
    const headers = { authorization: `Ghost ${await signToken(at.folder)}` };
    const answer = await at.get('/admin/posts/', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ posts: [{ title: 'Meanwhile' }] }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    await sees(at, slug);
    await server.restart();
    await eventually(() => save(at, { title: 'After' }));
  });
});
