// Calls with long texts are answered by a thread, with the same bytes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import type { PostCall } from '../../../../src/serve/server/post-calls/post-call.ts';
import { createPostCalls } from '../../../../src/serve/server/post-calls/post-calls.ts';
import { createHarness, type Harness } from '../admin/harness.ts';

const WORKER = join(import.meta.dirname, '../../../../dist/job-worker.js');
const LONG = `<p>${'word '.repeat(120_000)}</p>`;
const save = { sourceHtml: true, mail: {} };

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});

const bytesOf = (post: object): Buffer => Buffer.from(JSON.stringify({ posts: [post] }));
const jsonOf = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

describe.skipIf(!existsSync(WORKER))('a thread', () => {
  const run = (call: PostCall) => createPostCalls(harness.context, WORKER).run(call);
  const runHere = (call: PostCall) => createPostCalls(harness.context, null).run(call);
  const create = () =>
    run({ does: 'create', type: 'post', body: bytesOf({ title: 'Long', html: LONG }), save });

  test('saves what is long, and says what was saved', async () => {
    const { id, body } = await create();
    expect(Buffer.isBuffer(body)).toBe(true);
    const { posts } = JSON.parse(String(body)) as { posts: { id: string; html: string }[] };
    expect(posts).toEqual([expect.objectContaining({ id, title: 'Long', html: LONG })]);
  });

  test('shows, edits, copies and deletes what is long', async () => {
    const { id } = await create();
    const shown = { does: 'show', type: 'post', ids: [id], more: [] } as const;
    const { body } = await run(shown);
    expect(Buffer.isBuffer(body)).toBe(true);
    expect(JSON.parse(String(body))).toEqual(jsonOf((await runHere(shown)).body));
    const { posts } = JSON.parse(String(body)) as { posts: { updated_at: string }[] };
    const edited = { title: 'Other', updated_at: posts[0]?.updated_at };
    const edit = await run({ does: 'edit', type: 'post', id, body: { posts: [edited] }, save });
    expect(String(edit.body)).toContain('"title":"Other"');
    const copy = await run({ does: 'copy', type: 'post', id });
    expect(String(copy.body)).toContain('"title":"Other (Copy)"');
    expect(await run({ does: 'delete', type: 'post', id })).toEqual({ id, body: null });
    await expect(run(shown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('refuses as this thread does', async () => {
    const sent = (body: Buffer): PostCall => ({ does: 'create', type: 'post', body, save });
    const deep = `${'<b>'.repeat(1001)}${'</b>'.repeat(1001)}`;
    await expect(run(sent(bytesOf({ title: 'T', html: deep })))).rejects.toMatchObject({
      code: 'VALIDATION',
      property: 'html',
    });
    await expect(run(sent(Buffer.from('{"posts":[')))).rejects.toMatchObject({ statusCode: 400 });
    await expect(run(sent(bytesOf({ x: Array(60_000).fill(0) })))).rejects.toBeInstanceOf(
      PrepressError,
    );
  });
});

test('what is short is answered here', async () => {
  const calls = createPostCalls(harness.context, join(harness.folder, 'absent.js'));
  const body = { posts: [{ title: 'Short', html: '<p>x</p>' }] };
  const { id } = await calls.run({ does: 'create', type: 'post', body, save });
  const shown = await calls.run({ does: 'show', type: 'post', ids: [id], more: [] });
  expect(shown.body).toMatchObject({ posts: [{ id, title: 'Short' }] });
});
