// The Ghost piece of Activepieces, as npm has it, against a running server: every action, every list of its fields,
// every trigger up to what it makes of a delivery.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { lexicalOf, mobiledocOf, paragraph, words } from '../unit/serve/editor/documents.ts';

type Values = Readonly<Record<string, unknown>>;
type Auth = { readonly props: { readonly baseUrl: string; readonly apiKey: string } };
type Listed = { readonly options: readonly { readonly label: string; readonly value: string }[] };
type Field = { readonly options?: (asked: { readonly auth: Auth }) => Promise<Listed> };
type Context = { readonly auth: Auth } & Values;
type Action = {
  readonly props: Readonly<Record<string, Field>>;
  readonly run: (context: Context) => Promise<unknown>;
};
type Trigger = Record<'onEnable' | 'onDisable' | 'run', (context: Context) => Promise<unknown>>;
type Piece = {
  readonly actions: () => Readonly<Record<string, Action>>;
  readonly triggers: () => Readonly<Record<string, Trigger>>;
};

/** The folder whose node_modules has the piece. */
const folderOfPiece = process.env.PREPRESS_TEST_ACTIVEPIECES;
const reason =
  folderOfPiece === undefined
    ? 'set PREPRESS_TEST_ACTIVEPIECES to a folder with @activepieces/piece-ghostcms 0.2.0'
    : '';

describe.skipIf(reason !== '')(`the Ghost piece of Activepieces ${reason}`, () => {
  let serving: Serving;
  let piece: Piece;
  let auth: Auth;

  const actionOf = (name: string): Action => {
    const action = piece.actions()[name];
    if (action === undefined) throw new Error(`The piece has no action ${name}`);
    return action;
  };
  const run = async (name: string, propsValue: Values): Promise<Record<string, Values[]>> =>
    (await actionOf(name).run({ auth, propsValue })) as Record<string, Values[]>;
  const one = async (root: string, answer: Promise<Record<string, Values[]>>): Promise<Values> =>
    (await answer)[root]?.[0] ?? {};
  const listed = async (action: string, field: string): Promise<Listed['options']> => {
    const { options } = (await actionOf(action).props[field]?.options?.({ auth })) ?? {};
    return options ?? [];
  };
  const call = async (values: Values): Promise<{ status: number; body: unknown }> =>
    (await actionOf('custom_api_call').run({ auth, propsValue: values })) as {
      status: number;
      body: unknown;
    };
  const byHand = (method: string, path: string, data: Values): Promise<{ body: unknown }> =>
    call({ method, url: { url: path }, body_type: 'json', body: { data }, queryParams: {} });

  beforeAll(async () => {
    const folder = suiteFolder();
    serving = await startServing(folder.path, { args: ['--sample'] });
    const apiKey = readFileSync(join(folder.path, 'data/admin-key'), 'utf8').trim();
    auth = { props: { baseUrl: serving.url, apiKey } };
    const load = createRequire(join(folderOfPiece ?? '', 'package.json'));
    piece = (load('@activepieces/piece-ghostcms') as { ghostcms: Piece }).ghostcms;
    return async () => {
      await serving.end('SIGKILL');
      folder.remove();
    };
  });

  test('the actions and triggers that are tried here are all that it has', () => {
    expect(Object.keys(piece.actions()).toSorted()).toEqual([
      'create_member',
      'create_post',
      'custom_api_call',
      'find_member',
      'find_user',
      'update_member',
    ]);
    expect(Object.keys(piece.triggers()).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  });

  test('members are created, found and updated', async () => {
    const [newsletter] = await listed('create_member', 'newsletters');
    const email = 'by.piece@example.com';
    const made = await one(
      'members',
      run('create_member', { email, name: 'P', note: 'n', newsletters: [newsletter?.value] }),
    );
    expect(made).toMatchObject({ email, name: 'P', note: 'n', subscribed: true });
    expect(await one('members', run('find_member', { email }))).toMatchObject({ id: made.id });
    const members = await listed('update_member', 'member');
    expect(members).toContainEqual({ label: 'P', value: made.id });
    const changes = { name: 'Q', note: 'm', email: 'other@example.com' };
    const newsletters = [newsletter?.value];
    const edit = { member: made.id, ...changes };
    expect(await one('members', run('update_member', edit))).toMatchObject(changes);
    const kept = await one('members', run('update_member', { member: made.id, newsletters }));
    expect(kept).toMatchObject({ subscribed: true });
    const twice = run('create_member', { email: 'other@example.com' });
    await expect(twice).rejects.toThrow(/Member already exists/);
  });

  test('a user is found', async () => {
    const [author] = await listed('create_post', 'author');
    const found = await one('users', run('find_user', { email: author?.value }));
    expect(found).toMatchObject({ email: author?.value, name: author?.label });
  });

  test('posts are created, published and scheduled', async () => {
    const authors = await listed('create_post', 'author');
    const [tag] = await listed('create_post', 'tags');
    const publishedAt = new Date(Date.now() + 3_600_000_000).toISOString();
    for (const author of authors) {
      const values = {
        title: 'By piece',
        slug: `by-piece-of-${author.label.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
        status: 'published',
        html: '<p>a</p>',
        customExcerpt: 'e',
        author: author.value,
        featured: true,
        tags: [tag?.value, 'New'],
      };
      const post = await one('posts', run('create_post', values));
      expect(post).toMatchObject({
        slug: values.slug,
        status: 'published',
        featured: true,
        custom_excerpt: 'e',
        authors: [{ email: author.value }],
        tags: [{ name: tag?.value }, { name: 'New' }],
      });
    }
    const [author] = authors;
    const later = { title: 'T', status: 'scheduled', html: '', author: author?.value };
    const scheduled = await one('posts', run('create_post', { ...later, publishedAt }));
    expect(scheduled).toMatchObject({ status: 'scheduled', published_at: publishedAt });
    await expect(run('create_post', later)).rejects.toThrow(/published_at/);
  });

  test('calls of its own', async () => {
    for (const body of [
      { lexical: lexicalOf(paragraph(words('By hand'))) },
      { mobiledoc: mobiledocOf('By hand') },
    ]) {
      const answer = await byHand('POST', '/posts/?formats=html', {
        posts: [{ title: 'T', ...body }],
      });
      expect(answer).toMatchObject({ status: 201, body: { posts: [{ html: '<p>By hand</p>' }] } });
    }
    const asked = { url: { url: '/posts' }, method: 'GET', queryParams: { limit: '1' } };
    expect(await call({ ...asked, followRedirects: true })).toMatchObject({ status: 200 });
    const refused = byHand('POST', '/posts/', { posts: [{ title: 'T', lexical: '{}' }] });
    await expect(refused).rejects.toThrow(/lexical/);
  });

  /** By trigger: what makes its event happen. */
  const EVENTS: Readonly<Record<string, () => Promise<unknown>>> = {
    member_added: () => run('create_member', { email: 'added@example.com' }),
    member_edited: async () => {
      const [member] = await listed('update_member', 'member');
      return run('update_member', { member: member?.value, name: 'Edited' });
    },
    member_deleted: async () => {
      const [member] = await listed('update_member', 'member');
      return call({ method: 'DELETE', url: { url: `/members/${member?.value}/` } });
    },
    post_published: () =>
      byHand('POST', '/posts/', { posts: [{ title: 'T', status: 'published' }] }),
    post_scheduled: () => {
      const published_at = new Date(Date.now() + 3_600_000_000).toISOString();
      return byHand('POST', '/posts/', {
        posts: [{ title: 'T', status: 'scheduled', published_at }],
      });
    },
    page_published: () =>
      byHand('POST', '/pages/', { pages: [{ title: 'T', status: 'published' }] }),
  };

  test('every trigger is enabled, runs on a delivery, and is disabled', async () => {
    const receiver = await startReceiver();
    const kept = new Map<string, unknown>();
    const store = {
      put: async (name: string, value: unknown) => kept.set(name, value),
      get: async (name: string) => kept.get(name),
    };
    for (const [name, trigger] of Object.entries(piece.triggers())) {
      const event = name.replace('_', '.');
      const record = name.split('_')[0] ?? '';
      const webhookUrl = `${receiver.url}/${name}`;
      await trigger.onEnable({ auth, webhookUrl, store });
      await EVENTS[name]?.();
      const body = await eventually(() => {
        const delivery = receiver.received.find(({ path }) => path.endsWith(name));
        if (delivery === undefined) throw new Error(`Nothing came for ${name}`);
        return JSON.parse(delivery.body) as unknown;
      });
      expect(await trigger.run({ auth, payload: { body } }), name).toMatchObject([
        { event, [record]: { current: expect.any(Object), previous: expect.any(Object) } },
      ]);
      await trigger.onDisable({ auth, store });
      const webhookId = (kept.get(`_${name}_trigger`) as { webhookId: string }).webhookId;
      await expect(serving.admin('DELETE', `/webhooks/${webhookId}/`)).rejects.toThrow(/404/);
    }
  });
});
