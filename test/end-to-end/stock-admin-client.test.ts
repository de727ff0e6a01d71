// Administrators against the running server: the stock client from npm, unmodified, with every call that
// it has for the resources of the interface.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import GhostAdminAPI from '@tryghost/admin-api';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { MP4, PDF, pngOf } from '../helpers/upload-files.ts';

let serving: Serving;
let api: GhostAdminAPI;

beforeAll(async () => {
  const folder = suiteFolder();
  serving = await startServing(folder.path, { args: ['--sample'] });
  const key = readFileSync(join(folder.path, 'data/admin-key'), 'utf8').trim();
  api = new GhostAdminAPI({ url: serving.url, key, version: 'v6.0' });
  return async () => {
    await serving.end('SIGKILL');
    folder.remove();
  };
});

const gone = { type: 'NotFoundError' };
const unsent = (property: string) => ({ type: 'ValidationError', property });

test.each(['posts', 'pages'] as const)('%s', async (resource) => {
  const records = api[resource];
  const made = await records.add({ title: 'By client', html: '<p>a</p>' }, { source: 'html' });
  const edited = await records.edit({
    id: made.id,
    updated_at: made.updated_at,
    status: 'published',
    tags: ['Client'],
  });
  expect(edited).toMatchObject({ status: 'published', tags: [{ name: 'Client' }] });
  expect(await records.read({ id: made.id }, { formats: 'html' })).toMatchObject({
    html: '<p>a</p>',
  });
  expect(await records.read({ slug: made.slug })).toMatchObject({ id: made.id });
  const listed = await records.browse({ filter: 'tag:client', fields: 'id', limit: 1 });
  expect(listed[0]).toMatchObject({ id: made.id });
  expect(listed).toMatchObject({ meta: { pagination: { total: expect.any(Number) } } });
  const mail = { newsletter: 'weekly', email_segment: 'all' };
  const publish = { id: made.id, updated_at: edited.updated_at, status: 'published' };
  await expect(records.edit(publish, mail)).rejects.toMatchObject(unsent('newsletter'));
  await expect(records.add({ title: 'T', email_only: true })).rejects.toMatchObject(
    unsent('email_only'),
  );
  const [author] = await api.users.browse({ limit: 1, order: 'slug desc' });
  const byEmail = await records.add({ title: 'T', authors: [String(author?.email)] });
  expect(byEmail).toMatchObject({ authors: [{ id: author?.id }] });
  for (const { id } of [made, byEmail]) {
    await records.delete({ id });
    await expect(records.read({ id })).rejects.toMatchObject(gone);
  }
});

test('uploads are read at once', async () => {
  const folder = suiteFolder();
  onTestFinished(folder.remove);
  const fileOf = (name: string, bytes: Buffer): string => {
    const file = join(folder.path, name);
    writeFileSync(file, bytes);
    return file;
  };
  const picture = fileOf('p.png', pngOf(2, 2));
  const image = await api.images.upload({ file: picture, ref: 'r' });
  expect(image).toMatchObject({ ref: 'r' });
  const media = await api.media.upload({ file: fileOf('v.mp4', MP4), thumbnail: picture });
  const { url } = await api.files.upload({ file: fileOf('d.pdf', PDF) });
  for (const [address, bytes] of [
    [image.url, pngOf(2, 2)],
    [media.url, MP4],
    [media.thumbnail_url, pngOf(2, 2)],
    [url, PDF],
  ] as const) {
    const response = await fetch(address);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  }
  const post = await api.posts.add(
    { title: 'Pictures', html: `<p><img src="${image.url}"></p>`, feature_image: image.url },
    { source: 'html' },
  );
  expect(post).toMatchObject({ feature_image: expect.stringContaining('/content/images/') });
});

test('members', async () => {
  const made = await api.members.add({ email: 'client@example.com', labels: ['Client'] });
  expect(made).toMatchObject({ status: 'free', labels: [{ slug: 'client' }] });
  const read = await api.members.read({ id: made.id }, { include: 'newsletters,tiers' });
  expect(read).toMatchObject({
    tiers: [],
    attribution: { referrer_medium: 'Admin API' },
    newsletters: expect.any(Array),
  });
  // What was read may be sent back as it is.
  const { id } = read;
  expect(await api.members.edit({ ...read, id, name: 'C' })).toMatchObject({ name: 'C' });
  const listed = await api.members.browse({ filter: 'label:client', include: 'labels' });
  expect(listed[0]).toMatchObject({ id });
  await expect(api.members.add({ email: 'CLIENT@example.com' })).rejects.toMatchObject({
    type: 'ValidationError',
    property: 'email',
  });
  await api.members.delete({ id });
  await expect(api.members.read({ id })).rejects.toMatchObject(gone);
});

type Call = (data: object, options?: object) => Promise<Record<string, unknown>>;
type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>;

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

test('every call that the client has is answered, or refused with a sentence that says what to do', async () => {
  const all = api as unknown as Calls;
  const fileOf = (name: string, bytes: Buffer): string => {
    writeFileSync(join(serving.folder, name), bytes);
    return join(serving.folder, name);
  };
  const files: Readonly<Record<string, string>> = {
    images: fileOf('p.png', pngOf(2, 2)),
    media: fileOf('v.mp4', MP4),
    files: fileOf('d.pdf', PDF),
    themes: fileOf('t.zip', Buffer.from('PK')),
  };
  const called: string[] = [];
  for (const [resource, calls] of Object.entries(all)) {
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
