import { expect, test } from 'vitest';
import { AT, bodyOf, faultOf, type Json, problemOf, type Served, serve } from './harness.ts';

const send = (served: Served, method: string, path: string, tag: Json): Promise<Response> =>
  served.admin(method, `/admin/tags/${path}`, { tags: [tag] });

const tagOf = async (response: Response): Promise<Json> => (await bodyOf(response)).tags?.[0] ?? {};

test('tags are made, read, edited, listed and deleted', async () => {
  const served = await serve();
  const made = await send(served, 'POST', '', {
    name: ' News ',
    feature_image: 'https://news.example/content/images/x.png',
    accent_color: 'red',
    id: 'f'.repeat(24),
    parent_id: 'x',
    created_at: AT,
  });
  const tag = await tagOf(made);
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`${served.origin}/admin/tags/${tag.id}/`);
  expect(tag).toMatchObject({
    name: 'News',
    slug: 'news',
    visibility: 'public',
    feature_image: 'https://news.example/content/images/x.png',
    url: 'https://news.example/tag/news/',
    accent_color: 'red',
  });
  expect(tag.id).not.toBe('f'.repeat(24));
  expect(served.shell.prepare('SELECT feature_image FROM tags').pluck().get()).toBe(
    '__GHOST_URL__/content/images/x.png',
  );
  const internal = await tagOf(await send(served, 'POST', '', { name: '#hidden' }));
  expect(internal).toMatchObject({ visibility: 'internal', slug: 'hash-hidden' });
  expect(await tagOf(await send(served, 'POST', '', { name: 'News' }))).toMatchObject({
    slug: 'news-2',
  });
  served.passTime(1000);
  const edited = await tagOf(
    await send(served, 'PUT', `${tag.id}/`, { ...tag, description: 'd', slug: 'news' }),
  );
  expect(edited).toMatchObject({ description: 'd', slug: 'news', name: 'News' });
  const stale = await send(served, 'PUT', `${tag.id}/`, { ...tag, description: 'other' });
  expect([stale.status, (await problemOf(stale)).message]).toEqual([
    409,
    'Saving failed! Someone else is editing this tag.',
  ]);
  const same = await tagOf(await send(served, 'PUT', `${tag.id}/`, { description: 'd' }));
  expect(same.updated_at).toBe(edited.updated_at);
  const post = served.insert('posts', { type: 'page', status: 'draft' });
  served.insert('posts_tags', { post_id: post, tag_id: tag.id });
  const listed = await bodyOf(
    await served.admin('GET', '/admin/tags/?include=count.posts&order=count.posts%20desc&limit=2'),
  );
  expect(listed.tags).toMatchObject([
    { slug: 'news', count: { posts: 1 } },
    { count: { posts: 0 } },
  ]);
  const bySlug = await served.admin('GET', '/admin/tags/slug/hash-hidden/?fields=name');
  expect(await bodyOf(bySlug)).toEqual({ tags: [{ name: '#hidden' }] });
  const filtered = await served.admin('GET', '/admin/tags/?filter=visibility:internal');
  expect((await bodyOf(filtered)).tags).toMatchObject([{ slug: 'hash-hidden' }]);
  expect((await served.admin('DELETE', `/admin/tags/${tag.id}/`)).status).toBe(204);
  expect((await served.admin('GET', `/admin/tags/${tag.id}/`)).status).toBe(404);
  expect((await served.admin('DELETE', `/admin/tags/${tag.id}/`)).status).toBe(404);
});

test.each([
  [{}, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: ',x' }, 'name'],
  [{ name: 'x', accent_color: 'x'.repeat(51) }, 'accent_color'],
  [{ name: 'x', visibility: 'none' }, 'visibility'],
  [{ name: 'x', description: 'x'.repeat(501) }, 'description'],
])('a tag that is refused: %j', async (tag, property) => {
  const served = await serve();
  const response = await send(served, 'POST', '', tag);
  expect(await faultOf(response)).toEqual([422, property]);
  expect(served.shell.prepare('SELECT count(*) FROM tags').pluck().get()).toBe(0);
});

test('posts are filtered, ordered, paged and cut to fields', async () => {
  const served = await serve();
  const [news, other, hidden] = [
    served.insert('tags', { name: 'News', slug: 'news' }),
    served.insert('tags', { name: 'Other', slug: 'other' }),
    served.insert('tags', { name: '#h', slug: 'hash-h', visibility: 'internal' }),
  ];
  const posts = ['a', 'b', 'c', 'd'].map((slug, at) =>
    served.insert('posts', {
      slug,
      title: `T ${slug}`,
      html: `<p>${slug}</p>`,
      status: at < 3 ? 'published' : 'draft',
      featured: Number(at === 1),
      visibility: at === 2 ? 'members' : 'public',
      canonical_url: at === 0 ? 'https://a.example/' : null,
      published_at:
        at < 3 ? `2026-01-0${at + 1}${at === 1 ? ' 00:00:00' : 'T00:00:00.000Z'}` : null,
    }),
  );
  served.insert('posts', { slug: 'p', type: 'page' });
  served.insert('posts_meta', { post_id: posts[1], meta_title: 'x' });
  const link = (post: number, tag: string | undefined, sort_order: number): string =>
    served.insert('posts_tags', { post_id: posts[post], tag_id: tag, sort_order });
  link(0, news, 0);
  link(1, hidden, 0);
  link(1, news, 1);
  link(2, other, 0);
  served.insert('posts_authors', { post_id: posts[2], author_id: served.owner });
  const slugs = async (query: string): Promise<unknown> => {
    const response = await served.admin('GET', `/admin/posts/?${query}`);
    if (response.status !== 200) return response.status;
    return (await bodyOf(response)).posts?.map(({ slug }) => slug).join('');
  };
  expect(await slugs('')).toBe('dcba');
  expect(await slugs('order=title%20asc')).toBe('abcd');
  expect(await slugs('order=nothing%20asc')).toBe('dcba');
  // What has no value stands first, and last in descending order.
  expect(await slugs('order=published_at%20asc')).toBe('dabc');
  expect(await slugs('order=published_at%20desc')).toBe('cbad');
  expect(await slugs('order=visibility%20asc,slug%20asc')).toBe('cabd');
  expect(await slugs('order=title;x')).toBe(422);
  expect(await slugs('limit=2&page=2')).toBe('ba');
  const filters: Record<string, unknown> = {
    'status:draft': 'd',
    'featured:true': 'b',
    'tag:news': 'ba',
    'tags:-news': 'dc',
    'primary_tag:news': 'a',
    // Another public primary tag must be there, and a tag without the text.
    'primary_tag:-news': 'c',
    'primary_tag:-nope': 'ca',
    'primary_tag:-[news,nope]': 'c',
    "primary_tag:-~'ew'": 'c',
    "(primary_tag:-~^'ne',featured:true)": 'cb',
    'primary_tag:null': 'db',
    "tag:-~'ew'": 'cb',
    "tag:-~^'hash'+(tags.name:-~$'s')": 'cb',
    'primary_author:-nope': 'c',
    "authors:-~'own'": '',
    'canonical_url:null': 'dcb',
    "canonical_url:-'https://b.example/'": 'a',
    "canonical_url:-~'b.ex'": 'a',
    'meta_title:-null': 'b',
    'meta_title:-[y,z]': 'dcba',
    "meta_title:-~'y'": 'b',
    'email_only:false': 'dcba',
    'published_at:<=now': 'cba',
    'published_at:>now': '',
    "plaintext:~'a'": 400,
    "html:~'a'": 400,
    'author:owner': 'c',
    'primary_author:owner': 'c',
    "published_at:>'2026-01-01'": 'cb',
    "slug:[aa,c],title:~'T a'": 'ca',
    'html:x': 400,
    'status:': 400,
  };
  for (const [filter, expected] of Object.entries(filters)) {
    expect([filter, await slugs(`filter=${encodeURIComponent(filter)}`)]).toEqual([
      filter,
      expected,
    ]);
  }
  const cut = await served.admin('GET', '/admin/posts/?fields=id,title&formats=plaintext&limit=1');
  expect((await bodyOf(cut)).posts).toEqual([{ id: posts[3], title: 'T d', plaintext: 'd' }]);
});

test('where there are no users, a post has no authors and can be sent back as it is shown', async () => {
  const { admin, insert, shell } = await serve();
  shell.exec('DELETE FROM users');
  const save = async (method: string, path: string, post: Json): Promise<Json> => {
    const { posts } = await bodyOf(await admin(method, `/admin/posts/${path}`, { posts: [post] }));
    return posts?.[0] ?? {};
  };
  const made = await save('POST', '', { title: 'Alone', authors: [] });
  expect(made).toMatchObject({ authors: [], primary_author: null });
  insert('users', { name: 'Ann', slug: 'ann', role: 'Owner' });
  const changed = await save('PUT', `${made.id}/`, { ...made, title: 'Still alone' });
  expect(changed).toMatchObject({ title: 'Still alone', authors: [] });
  const signed = await save('PUT', `${made.id}/`, { ...changed, authors: ['ann'] });
  expect(signed).toMatchObject({ authors: [{ slug: 'ann' }] });
  expect(await save('PUT', `${made.id}/`, { ...signed, authors: [] })).toEqual({});
});

test('lists are filtered and ordered by the plain columns of their table', async () => {
  const served = await serve();
  const lists = {
    posts: 'custom_excerpt canonical_url codeinjection_head codeinjection_foot locale comment_id',
    tags: 'description feature_image accent_color meta_title og_image twitter_title parent_id',
    newsletters: 'sender_email show_badge header_image button_color sort_order updated_at',
    tiers: 'currency monthly_price trial_days welcome_page_url created_at',
    labels: 'updated_at',
    users: 'bio visibility last_seen created_at',
    members: 'note last_commented_at',
  };
  const queries = Object.entries(lists).flatMap(([list, names]) =>
    names
      .split(' ')
      .flatMap((name) => [`${list}/?filter=${name}:null`, `${list}/?order=${name} asc`]),
  );
  for (const query of queries) {
    expect([query, (await served.admin('GET', `/admin/${query}`)).status]).toEqual([query, 200]);
  }
});

test('lists of tiers and offers have all records, whatever page is asked for', async () => {
  const served = await serve();
  const count = 101;
  const offer = {
    interval: 'month',
    discount_type: 'percent',
    discount_amount: 5,
    duration: 'once',
    created_at: AT,
  };
  for (let at = 0; at < count; at += 1) {
    const text = `n${at}`;
    served.insert('tiers', { name: text, slug: text, created_at: AT });
    served.insert('offers', { name: text, code: text, ...offer });
  }
  const pagination = { page: 1, limit: count, pages: 1, total: count, next: null, prev: null };
  for (const resource of ['tiers', 'offers'])
    for (const query of ['', '?limit=5&page=2', '?limit=all']) {
      const list = await bodyOf(await served.admin('GET', `/admin/${resource}/${query}`));
      expect([list[resource]?.length, list.meta]).toEqual([count, { pagination }]);
    }
});

test('users are read; what cannot be made or deleted is not', async () => {
  const served = await serve();
  const query = '?include=count.posts,roles';
  const list = await bodyOf(await served.admin('GET', `/admin/users/${query}`));
  expect(list).toMatchObject({
    users: [{ slug: 'owner', roles: [{ name: 'Owner' }], count: { posts: 0 } }],
    meta: { pagination: { total: 1 } },
  });
  for (const path of [served.owner, 'slug/owner', `email/${served.owner}@example.com`]) {
    const read = await bodyOf(await served.admin('GET', `/admin/users/${path}/${query}`));
    expect(read).toEqual({ users: list.users });
  }
  for (const resource of ['labels', 'tiers', 'offers', 'users']) {
    const none = `/admin/${resource}/${'f'.repeat(24)}/`;
    for (const method of ['GET', 'DELETE']) {
      const answer = await served.admin(method, none);
      expect([resource, method, answer.status]).toEqual([resource, method, 404]);
    }
  }
  expect((await served.admin('POST', '/admin/users/', { users: [{}] })).status).toBe(404);
});

test('the config says what clients ask, and nothing secret', async () => {
  const served = await serve({ flags: { smtp: 'smtp://user:canary@mail.example' } });
  const config = await (await served.admin('GET', '/admin/config/')).text();
  expect(JSON.parse(config)).toMatchObject({ config: { database: 'sqlite3', mail: 'SMTP' } });
  expect(config).not.toContain('canary');
});

test('settings are read and written, all or none', async () => {
  const served = await serve();
  served.insert('settings', { key: 'members_email_auth_secret', value: 'canary' });
  const write = (settings: unknown): Promise<Response> =>
    served.admin('PUT', '/admin/settings/', { settings });
  const settingOf = async (key: string): Promise<unknown> =>
    (await bodyOf(await served.admin('GET', '/admin/settings/'))).settings?.find(
      (setting) => setting.key === key,
    )?.value;
  const written = await write([
    { key: 'title', value: 'New' },
    { key: 'accent_color', value: 'red' },
    { key: 'logo', value: 'https://news.example/content/images/l.png' },
    { key: 'navigation', value: '[{"label":"Home","url":"/"}]' },
    { key: 'outbound_link_tagging', value: false },
  ]);
  expect(written.status).toBe(200);
  expect(await written.json()).not.toHaveProperty('meta');
  expect(await settingOf('title')).toBe('New');
  expect(await settingOf('logo')).toBe('https://news.example/content/images/l.png');
  expect(await settingOf('navigation')).toBe('[{"label":"Home","url":"/"}]');
  expect(await settingOf('outbound_link_tagging')).toBe(false);
  expect(await (await served.admin('GET', '/admin/settings/')).text()).not.toContain('canary');
  const wrong: [string, unknown, string][] = [
    ['timezone', 'Europe/Nowhere', 'timezone'],
    ['locale', 'e n', 'locale'],
    ['accent_color', 'x'.repeat(51), 'accent_color'],
    ['navigation', '{broken', 'navigation'],
    ['navigation', [{ label: 1 }], 'navigation'],
    ...[' JavaScript:alert(1)', 'java\tscript:alert(1)', 'vbscript:x', 'data:text/html,x'].map(
      (url): [string, unknown, string] => [
        'secondary_navigation',
        [{ label: 'Odd', url }],
        'secondary_navigation',
      ],
    ),
    ['members_support_address', 'a b@c', 'members_support_address'],
    ['outbound_link_tagging', 'maybe', 'outbound_link_tagging'],
    ['title', { a: 1 }, 'title'],
    ['title', undefined, 'title'],
    ['members_email_auth_secret', 'mine', 'key'],
    ['__proto__', 'x', 'key'],
  ];
  for (const [key, value, property] of wrong) {
    const response = await write([
      { key: 'description', value: 'Not stored' },
      { key, value },
    ]);
    expect([key, response.status, (await problemOf(response)).property]).toEqual([
      key,
      422,
      property,
    ]);
  }
  expect(await settingOf('description')).toBe('');
  for (const [key, value, words] of [
    ['locale', 'Deutsch!', 'locale must be a language code such as en or pt-BR, got "Deutsch!".'],
    [
      'navigation',
      [{ label: 'Odd', url: 'javascript:x' }],
      'navigation.0 links to "javascript:x", where no reader can go: write an address such as /about/ or https://example.com/.',
    ],
    ['navigation', [{ label: 'Home' }], 'navigation.0.url is required.'],
    ['navigation', [{ label: 'Home', url: 5 }], 'navigation.0.url must be a string, got 5.'],
    ['navigation', ['Home'], 'navigation.0 must be an object, got "Home".'],
    ['outbound_link_tagging', 'maybe', 'outbound_link_tagging must be true or false, got "maybe".'],
    ['titel', 'x', 'key "titel" is not a setting that can be written. Did you mean title?'],
    [
      'site_title',
      'x',
      'key "site_title" is not a setting that can be written. Did you mean title?',
    ],
    [
      'tagline',
      'x',
      'key "tagline" is not a setting that can be written. GET /admin/settings/ lists all settings.',
    ],
    ['lang', 'de', 'key "lang" is not a setting that can be written. Did you mean locale?'],
    ['timezone', '+01:00', 'timezone must be a zone name such as Europe/Berlin, got "+01:00".'],
  ] as const) {
    expect((await problemOf(await write([{ key, value }]))).context).toBe(words);
  }
  expect((await write([])).status).toBe(400);
});

test('deliveries are listed by webhook and by failure; builds are listed', async () => {
  const served = await serve();
  const made = await served.admin('POST', '/admin/webhooks/', {
    webhooks: [{ event: 'post.published', target_url: 'https://receiver.example/' }],
  });
  const webhook = (await bodyOf(made)).webhooks?.[0] ?? {};
  const tested = await served.admin('POST', `/admin/webhooks/${webhook.id}/test/`);
  const delivery = (await bodyOf(tested)).deliveries?.[0] ?? {};
  const list = async (query = ''): Promise<Json[]> =>
    (await bodyOf(await served.admin('GET', `/admin/deliveries/${query}`))).deliveries ?? [];
  expect(await list()).toMatchObject([{ id: delivery.id, state: 'pending' }]);
  expect(await list(`?webhook_id=${'f'.repeat(24)}`)).toEqual([]);
  expect(await list('?failed=true')).toEqual([]);
  expect((await served.admin('GET', '/admin/deliveries/?webhook_id=x')).status).toBe(422);
  served.shell.exec("UPDATE deliveries SET state = 'failed', attempts = 9");
  const again = await served.admin('POST', `/admin/deliveries/${delivery.id}/redeliver/`);
  expect([tested.status, again.status]).toEqual([202, 202]);
  expect(await list()).toMatchObject([{ state: 'pending', attempts: [] }]);
  const none = `/admin/webhooks/${'f'.repeat(24)}/test/`;
  expect((await served.admin('POST', none)).status).toBe(404);
  const times = { requested_at: 1, started_at: 2, finished_at: 3 };
  const build = { state: 'done', kind: 'full', generation: 1, requested_by: 'admin' };
  served.insert('builds', { ...build, ...times });
  expect((await bodyOf(await served.admin('GET', '/admin/builds/'))).builds).toMatchObject([
    { state: 'done', kind: 'full', finished_at: '1970-01-01T00:00:00.003Z' },
  ]);
});
