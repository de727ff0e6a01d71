// A row of the table of operations decides who may ask, what is refused and what wakes the publisher: no handler can
// leave it out.
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { uploadsOf } from '../../../../src/publication/media/uploads.ts';
import { beginFollowing } from '../../../../src/publication/store/import/following.ts';
import {
  all,
  created,
  type Operations,
} from '../../../../src/serve/contract/operations/operation.ts';
import {
  listOperations,
  OPERATIONS,
} from '../../../../src/serve/contract/operations/operations.ts';
import type { HandlersOf } from '../../../../src/serve/server/handlers/handler.ts';
import { registerOperations } from '../../../../src/serve/server/handlers/register.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { loadConfig } from '../../../../src/settings/load.ts';
import { createHarness } from '../admin/harness.ts';

const answer = created('Label');
const schema = z.object({ name: z.string() });
const NOTES = {
  'GET /': {
    summary: 'Lists notes.',
    answer: all('Label'),
  },
  'POST /': { summary: 'Creates a note.', body: { schema, example: {} }, answer },
  'POST /ours/': { summary: 'Of ours.', changes: 'ours', answer },
  'POST /parts/': { summary: 'Of both.', changes: 'parts', answer },
  'POST /owner/': { summary: 'Of owners.', keys: 'owner', answer },
} satisfies Operations;
const TABLE = { notes: NOTES };

type NoteHandlers = HandlersOf<typeof TABLE>;

/** `ran`: takes what was done. */
const handlersOf = (ran: string[]): NoteHandlers => {
  const note = (name: string) => async () => {
    ran.push(name);
    return { id: name };
  };
  return {
    notes: {
      'GET /': async () => [],
      'POST /': ({ input }) => note(input.name)(),
      'POST /ours/': note('ours'),
      'POST /parts/': note('parts'),
      'POST /owner/': note('owner'),
    },
  };
};

const start = async () => {
  const { context, path, folder, store } = await createHarness();
  const flags = { database: path, media: join(folder, 'media'), output: join(folder, 'output') };
  const config = loadConfig({ flags, environment: {} });
  const ran: string[] = [];
  const app = Fastify().decorateRequest('adminKeyId', 'f'.repeat(24));
  onTestFinished(() => app.close());
  const publisher = {
    wake: () => void ran.push('wake'),
    requestBuild: async () => ({ id: '' }),
    state: () => ({}),
    firstBuild: () => null,
  };
  const deps = {
    config,
    context,
    publisher,
    uploads: uploadsOf(dataPathsOf(config)),
    storedSegment: () => undefined,
    adminOrigin: () => 'https://news.example',
  };
  registerOperations(app, deps, { table: TABLE, handlers: handlersOf(ran) });
  /** What each row answers, and what ran meanwhile. */
  const askAll = async (): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (const { method, key, path } of listOperations(TABLE)) {
      const body = method === 'post' ? { body: { notes: [{ name: 'new' }] } } : {};
      const response = await app.inject({
        method: method === 'get' ? 'GET' : 'POST',
        url: path,
        ...body,
      });
      const { code = response.statusCode } = response.json() as { readonly code?: string };
      answers.push([key, code, ...ran.splice(0)]);
    }
    return answers;
  };
  return { askAll, app, store };
};

test('a row says what wakes the publisher, who may ask, and how it is answered', async () => {
  const { askAll, app } = await start();
  expect(await askAll()).toEqual([
    ['GET /', 200],
    ['POST /', 201, 'new', 'wake'],
    ['POST /ours/', 201, 'ours'],
    ['POST /parts/', 201, 'parts', 'wake'],
    ['POST /owner/', 'NO_PERMISSION'],
  ]);
  const body = { notes: [{ name: 'a' }] };
  const made = await app.inject({ method: 'POST', url: '/admin/notes/', body });
  expect([made.headers.location, made.json()]).toEqual([
    'https://news.example/admin/notes/a/',
    { notes: [{ id: 'a' }] },
  ]);
});

test('a row that changes content is refused before its handler while a source is followed', async () => {
  const { askAll, store } = await start();
  await store.write((tx) => beginFollowing(tx, { source: 'mysql://db/ghost', now: 0 }));
  expect(await askAll()).toEqual([
    ['GET /', 200],
    ['POST /', 'SOURCE_FOLLOWED'],
    ['POST /ours/', 201, 'ours'],
    ['POST /parts/', 201, 'parts', 'wake'],
    ['POST /owner/', 'SOURCE_FOLLOWED'],
  ]);
});

/** What no source gives, or not alone. A new row stands here only if a save of it cannot touch content. */
test('few operations change something while a source is followed', () => {
  const open = listOperations(OPERATIONS)
    .filter(({ method, isGuarded }) => method !== 'get' && !isGuarded)
    .map(({ resource, key, changes }) => `${resource} ${key} ${changes}`);
  expect(open).toEqual([
    'posts POST /{id}/preview/ ours',
    'pages POST /{id}/preview/ ours',
    'bodies POST / ours',
    'newsletters PUT /{id}/ parts',
    'newsletters PUT /verifications/ ours',
    'webhooks POST / ours',
    'webhooks PUT /{id}/ ours',
    'webhooks DELETE /{id}/ ours',
    'webhooks POST /{id}/test/ ours',
    'deliveries POST /{id}/redeliver/ ours',
    'keys POST / ours',
    'keys DELETE /{id}/ ours',
    'builds POST / ours',
  ]);
});

test('the compiler names a row without its handler, and a handler without its row', () => {
  const { notes } = handlersOf([]);
  const { 'GET /': list, ...others } = notes;
  // @ts-expect-error -- The list has no handler.
  const less: NoteHandlers = { notes: others };
  // @ts-expect-error -- The handler has no row.
  const more: NoteHandlers = { notes: { ...notes, 'PUT /': list } };
  expect([less, more]).toHaveLength(2);
});
