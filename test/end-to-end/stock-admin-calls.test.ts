// Every call that the stock client from npm has, as it names them itself: each is answered, or refused with a sentence
// that says what to do.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import GhostAdminAPI from '@tryghost/admin-api';
import { beforeAll, expect, test } from 'vitest';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { MP4, PDF, pngOf } from '../helpers/upload-files.ts';

type Call = (data: object, options?: object) => Promise<Record<string, unknown>>;
type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>;

let serving: Serving;
let api: Calls;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  const folder = suiteFolder();
  const file = (name: string, bytes: Buffer): string => {
    writeFileSync(join(folder.path, name), bytes);
    return join(folder.path, name);
  };
  files = {
    images: file('p.png', pngOf(2, 2)),
    media: file('v.mp4', MP4),
    files: file('d.pdf', PDF),
    themes: file('t.zip', Buffer.from('PK')),
  };
  serving = await startServing(folder.path, { args: ['--sample'] });
  const key = readFileSync(join(folder.path, 'data/admin-key'), 'utf8').trim();
  api = new GhostAdminAPI({ url: serving.url, key, version: 'v6.0' }) as unknown as Calls;
  return async () => {
    await serving.end('SIGKILL');
    folder.remove();
  };
});

const NEW: Readonly<Record<string, object>> = {
  posts: { title: 'T' },
  pages: { title: 'T' },
  tags: { name: 'T' },
  members: { email: 'calls@example.com' },
  newsletters: { name: 'T' },
  webhooks: { event: 'post.published', target_url: 'https://receiver.example/hook' },
};

/** What is refused, and what the sentence tells to do. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'users.add': /run "prepress import"/,
  'users.edit': /run "prepress import"/,
  'users.delete': /run "prepress import"/,
  'newsletters.delete': /archive it by a PUT/,
  'themes.upload': /templates of Eleventy/,
  'themes.activate': /templates of Eleventy/,
};

const ORDER = ['upload', 'activate', 'add', 'browse', 'read', 'edit', 'delete'];

test('every call that the client has', async () => {
  const called: string[] = [];
  for (const [resource, calls] of Object.entries(api)) {
    let known: { id?: unknown; updated_at?: unknown } = { id: 'f'.repeat(24) };
    const argumentOf = (method: string): unknown => {
      if (method === 'upload') return { file: files[resource] };
      if (method === 'activate') return 'casper';
      if (method === 'add') return NEW[resource] ?? { name: 'T', email: 'u@example.com' };
      if (method === 'edit') return { ...known, ...NEW[resource] };
      return method === 'browse' ? {} : { id: known.id };
    };
    const methods = Object.keys(calls).toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    for (const method of methods) {
      const name = `${resource}.${method}`;
      called.push(name);
      const call = calls[method]?.(argumentOf(method) as object);
      const sentence = REFUSED[name];
      if (sentence !== undefined) {
        await expect(call, name).rejects.toMatchObject({
          message: expect.stringMatching(sentence),
        });
        continue;
      }
      const answer = await call?.catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`);
      });
      if (method === 'add') known = { id: answer?.id, updated_at: answer?.updated_at };
      if (method === 'browse' && resource === 'users') known = { id: [answer].flat()[0]?.id };
    }
  }
  expect(called.length).toBeGreaterThanOrEqual(38);
  expect(Object.keys(REFUSED).filter((name) => !called.includes(name))).toEqual([]);
});
