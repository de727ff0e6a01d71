// Servers of a publication in PostgreSQL when another one takes over: of the servers one that leads no longer, and of
// PostgreSQL a standby that lacks what was shown.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanTree, expectTree } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { CONTENT, type Serving } from '../helpers/serve.ts';
import { describePostgres } from './postgres-process.ts';
import { startProxy } from './postgres-proxy.ts';
import { leaderOf, postgresSites } from './postgres-sites.ts';

/** Pictures in sizes are no part of a clean build. */
const NO_SIZES = { PREPRESS_IMAGES_SIZES: '' };

describePostgres((server, suiteFolder) => {
  const { environmentOf, moved, start, save, carryBack, freezeLeader } = postgresSites(
    server,
    suiteFolder,
  );
  const statusesOf = async (at: Serving, slugs: readonly string[]): Promise<number[]> => {
    const path = (slug: string) => `/content/posts/slug/${slug}/?key=${at.contentKey}`;
    return Promise.all(slugs.map(async (slug) => (await at.get(path(slug))).status));
  };

  test('who was frozen before its announcement announces nothing once another one leads', async () => {
    const { client, one } = await freezeLeader('save');
    await client.query("UPDATE leader SET until = '-infinity'");
    await eventually(async () => expect(await leaderOf(client)).toBe('other'));
    await client.query('DELETE FROM watch.announced');
    process.kill(one.pid, 'SIGCONT');
    await eventually(async () => {
      const { rows } = await client.query('SELECT DISTINCT name FROM watch.announced');
      expect(rows).not.toEqual([]);
    }, 'an announcement');
    const { rows } = await client.query('SELECT DISTINCT name FROM watch.announced');
    expect(rows).toEqual([{ name: 'other' }]);
  });

  test('a standby that takes over without the last commits is noticed: every server reads its rows again', async () => {
    const proxy = await startProxy(new URL(await moved()));
    const { address } = proxy;
    const standby = await server.standBy();
    const both = [await start(address, NO_SIZES), await start(address, NO_SIZES)] as const;
    const [one, other] = both;
    const slugs = ['kept', 'lost', 'after'];
    const show = (...statuses: number[]) =>
      eventually(async () => {
        for (const at of both) expect(await statusesOf(at, slugs)).toEqual(statuses);
      }, `${slugs}: ${statuses}`);
    await save(one, { title: 'Kept', status: 'published' });
    await show(200, 404, 404);
    await standby.cutOff();
    await save(other, { title: 'Lost', status: 'published' });
    await show(200, 200, 404);
    proxy.leadTo(await standby.takeOver());
    await show(200, 404, 404);
    await eventually(() => save(one, { title: 'After', status: 'published' }));
    await show(200, 404, 200);
    const again = await carryBack(address);
    const clean = await cleanTree(again, environmentOf(address).PREPRESS_SITE_URL);
    for (const at of both) {
      expect(at.log()).toContain('has a new change log');
      await eventually(() => expectTree(join(at.folder, CONTENT), clean), 200);
    }
  });
});
