// Several servers on one publication in PostgreSQL: each saves, builds its own tree and is seen by the others; one of them
// leads, and another one takes over when it is killed.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { startReceiver } from '../helpers/receiver.ts';
import type { Serving } from '../helpers/serve.ts';
import { readTree } from '../helpers/tree.ts';
import { describePostgres } from './postgres-process.ts';
import { type Post, postgresSites } from './postgres-sites.ts';

describePostgres((server, suiteFolder) => {
  const { moved, start, save } = postgresSites(server, suiteFolder);
  const sees = (at: Serving, slug: string) =>
    eventually(async () => {
      const answer = await at.get(`/content/posts/slug/${slug}/?key=${at.contentKey}`);
      expect(answer.status).toBe(200);
    }, `the post ${slug}`);
  const contentOf = ({ folder }: Serving) => readTree(join(folder, 'output', 'content'));

  test('what one server saves all show, also what they save at once', async () => {
    const address = await moved();
    const [one, other] = [await start(address), await start(address)] as const;
    const first = await save(one, { title: 'From one', status: 'published' });
    await sees(other, first.slug);
    const second = await save(other, { title: 'From the other', status: 'published' });
    await sees(one, second.slug);
    const at = [one, other] as const;
    const drafts = await Promise.all(
      Array.from({ length: 10 }, (_, n) => save(at[n % 2 === 0 ? 0 : 1], { title: 'Same' })),
    );
    expect(new Set(drafts.map(({ slug }) => slug)).size).toBe(10);
    const change = (server: Serving, title: string) =>
      server
        .admin('PUT', `/posts/${first.id}/`, { posts: [{ title, updated_at: first.updated_at }] })
        .then(
          () => 200,
          (error: Error) => Number(/: (\d+)/.exec(error.message)?.[1]),
        );
    const statuses = await Promise.all([change(one, 'A'), change(other, 'B')]);
    expect(statuses.sort()).toEqual([200, 409]);
    await eventually(() => expect(contentOf(one)).toEqual(contentOf(other)), 'the same trees');
  });

  test('when the leader is killed, another server announces what was saved', async () => {
    const address = await moved();
    const receiver = await startReceiver();
    const leader = await start(address);
    const follower = await start(address);
    await leader.admin('POST', '/webhooks/', {
      webhooks: [{ event: 'post.published', target_url: `${receiver.url}/`, name: 'w' }],
    });
    // Each server shows what a webhook tells of, whichever one it is asked of.
    const early: string[] = [];
    const told: string[] = [];
    let alive = [leader, follower];
    receiver.answer = (response, { body }) => {
      const { slug } = (JSON.parse(body) as { post: { current: Post } }).post.current;
      const look = async (at: Serving): Promise<void> => {
        const answer = await at.get(`/content/posts/slug/${slug}/?key=${at.contentKey}`);
        if (answer.status !== 200) early.push(`${slug} at ${at.url}: ${answer.status}`);
      };
      void Promise.all(alive.map(look)).then(() => {
        told.push(slug);
        response.writeHead(200).end('ok');
      });
    };
    // A delivery whose answer the killed server did not note is sent again.
    const slugs = () => [...new Set(told)];
    await save(follower, { title: 'Before', status: 'published' });
    await eventually(() => expect(slugs()).toEqual(['before']));
    await save(leader, { title: 'Between', status: 'published' });
    await eventually(() => expect(slugs()).toEqual(['before', 'between']));
    alive = [follower];
    await leader.end('SIGKILL');
    await save(follower, { title: 'After', status: 'published' });
    await eventually(() => expect(slugs()).toEqual(['before', 'between', 'after']));
    expect(early).toEqual([]);
  });
});
