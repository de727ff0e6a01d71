// Members in bulk: import and export of Ghost's CSV, edits and deletes of many.
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { acquireBulkLock } from '../../../../src/publication/store/locks/bulk-lock.ts';
import { planBulkDelete, selectMembers } from '../../../../src/serve/admin/members/bulk-members.ts';
import { deleteLabel } from '../../../../src/serve/admin/members/labels.ts';
import { checkRows } from '../../../helpers/check-rows.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { isOnPostgres } from '../../../helpers/publication.ts';
import { AT, faultOf, type Json, problemOf, type Served, serve } from './harness.ts';

type Sent = { readonly file: string | Uint8Array; readonly fields?: readonly [string, string][] };

const upload = (served: Served, { file, fields = [] }: Sent): Promise<Response> => {
  const form = new FormData();
  const bytes = typeof file === 'string' ? file : Uint8Array.from(file);
  form.append('membersfile', new Blob([bytes], { type: 'text/csv' }), 'members.csv');
  for (const [name, value] of fields) form.append(name, value);
  const headers = { authorization: served.authorization() };
  return served.get('/admin/members/upload/', { method: 'POST', headers, body: form });
};

const metaOf = async (response: Response): Promise<Json> =>
  ((await response.json()) as { meta: Json }).meta;

const all = (served: Served, sql: string): unknown[] => served.shell.prepare(sql).all();
const values = (served: Served, sql: string): unknown[] => served.shell.prepare(sql).pluck().all();

const exported = async (served: Served, query = ''): Promise<string[]> => {
  const response = await served.admin('GET', `/admin/members/upload/${query}`);
  expect(response.status).toBe(200);
  return (await response.text()).split('\r\n');
};

const weekly = (served: Served): string =>
  served.insert('newsletters', {
    uuid: crypto.randomUUID(),
    name: 'Weekly',
    slug: 'weekly',
    created_at: AT,
  });

test('an upload makes members, labels on the way, and says which lines it refused and why', async () => {
  const served = await serve();
  weekly(served);
  served.insert('labels', { name: 'VIP', slug: 'vip', created_at: AT });
  const file = [
    'email,name,subscribed_to_emails,labels,tiers',
    'ada@example.com,Ada,true,"vip,New",',
    'nobody,N,true,,',
    'bob@example.com,Bob,false,,',
    'ADA@example.com,Again,true,"vip,New",',
    'eve@example.com,Eve,false,,Unknown',
    'short@example.com',
  ].join('\n');
  const response = await upload(served, {
    file,
    fields: [
      ['labels', 'Sent'],
      ['labels[0]', 'Too'],
    ],
  });
  expect(response.status).toBe(201);
  expect(await metaOf(response)).toMatchObject({
    stats: {
      imported: 2,
      invalid: [
        {
          line: 3,
          email: 'nobody',
          error: 'email is not a valid e-mail address: it has no "@".',
        },
        { line: 6, email: 'eve@example.com', error: expect.stringMatching(/^tiers names a tier /) },
        {
          line: 7,
          email: 'short@example.com',
          error: expect.stringMatching(/^line has 1 field /),
        },
      ],
    },
    originalImportSize: 6,
    warnings: [
      expect.stringContaining('line 2'),
      expect.stringMatching(/^Skipped lines that say .* \(line 6\)/),
      expect.stringMatching(/may say .* \(line 7\)/),
    ],
    import_label: { name: expect.stringMatching(/^Import \d{4}-\d\d-\d\d \d\d:\d\d$/) },
  });
  expect(values(served, 'SELECT email FROM members ORDER BY 1')).toEqual([
    'ADA@example.com',
    'bob@example.com',
  ]);
  expect(values(served, 'SELECT count(*) FROM labels')).toEqual([5]);
  expect(values(served, 'SELECT count(*) FROM members_labels')).toEqual([8]);
  expect(values(served, 'SELECT count(*) FROM members_newsletters')).toEqual([1]);
  expect(readdirSync(`${dirname(served.path)}/uploads`)).toEqual([]);
  // At the end of the work, and with the answer.
  expect(served.asked).toEqual(['wake', 'wake']);
});

test('a mapping says what the columns of a file are', async () => {
  const served = await serve();
  const fields: [string, string][] = [
    ['mapping[Contact]', 'email'],
    ['mapping[Full name]', 'name'],
    ['mapping[email]', 'ignore'],
    ['mapping[__proto__]', 'note'],
  ];
  const file = 'Contact,Full name,email,__proto__\nada@example.com,Ada,x,y\n';
  expect((await upload(served, { file, fields })).status).toBe(201);
  expect(all(served, 'SELECT email, name FROM members')).toEqual([
    { email: 'ada@example.com', name: 'Ada' },
  ]);
});

const NAMES = [
  '=1+1',
  '+1',
  '-1',
  '@x',
  '\tx',
  "'=x",
  "''@y",
  "O'Neil",
  "'quoted'",
  'a,"b"\r\nc',
  ' x ',
];

test('what is exported holds no formula, and comes back as it was', async () => {
  const from = await serve();
  const newsletter_id = weekly(from);
  const [gold, label_id, listed] = [
    from.insert('tiers', { name: '=Gold', slug: 'gold', type: 'paid', created_at: AT }),
    from.insert('labels', { name: '@home', slug: 'home', created_at: AT }),
    from.insert('labels', { name: 'y, z,"x"', slug: 'y-z', created_at: AT }),
  ];
  for (const [at, name] of NAMES.entries()) {
    const email = at % 2 === 0 ? `+m${at}@example.com` : `m${at}@example.com`;
    const id = from.insert('members', { email, name, note: `-${name}`, created_at: AT });
    if (at % 3 === 0) from.insert('members_newsletters', { member_id: id, newsletter_id });
    if (at % 2 === 0) from.insert('members_labels', { member_id: id, label_id });
    if (at % 3 === 0)
      from.insert('members_labels', { member_id: id, label_id: listed, sort_order: 1 });
  }
  const comped = from.insert('members', { email: 'gold@example.com', status: 'comped' });
  from.insert('members_tiers', { member_id: comped, tier_id: gold });
  const response = await from.admin('GET', '/admin/members/upload/');
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="members\.\d{4}-\d\d-\d\d\.csv"$/,
  );
  const file = await response.text();
  expect(file).toMatch(/^id,email,name,note,/);
  expect(file).not.toMatch(/(?:^|,|\n)"?[=+@\t-]/);
  const to = await serve();
  weekly(to);
  to.insert('tiers', { name: '=Gold', slug: 'gold', type: 'paid', created_at: AT });
  expect((await upload(to, { file })).status).toBe(201);
  const told = `SELECT id, email, name, note, status, created_at,
    (SELECT count(*) FROM members_newsletters WHERE member_id = m.id) AS letters,
    (SELECT count(*) FROM members_tiers WHERE member_id = m.id) AS tiers,
    (SELECT group_concat(name, '|' ORDER BY name) FROM members_labels
     JOIN labels ON labels.id = label_id
     WHERE member_id = m.id AND name NOT LIKE 'Import %') AS labels
    FROM members m ORDER BY id`;
  expect(all(to, told)).toEqual(all(from, told));
  expect(all(to, told)).toHaveLength(NAMES.length + 1);
});

test('an export takes filter, search and limit', async () => {
  const served = await serve();
  for (const at of [1, 2, 3]) {
    served.insert('members', {
      email: `m${at}@example.com`,
      created_at: `2026-02-0${at}T10:00:00.000Z`,
    });
  }
  const emails = async (query: string): Promise<string[]> =>
    (await exported(served, query)).slice(1).map((line) => line.split(',')[1] ?? '');
  expect(await emails('')).toEqual(['m3@example.com', 'm2@example.com', 'm1@example.com']);
  expect(await emails('?limit=2')).toEqual(['m3@example.com', 'm2@example.com']);
  expect(await emails("?filter=email:'m1@example.com'")).toEqual(['m1@example.com']);
  expect(await emails('?search=m2&limit=all')).toEqual(['m2@example.com']);
  for (const [query, status] of [
    ['limit=x', 422],
    ['filter=((', 400],
    ['filter=nope:1', 400],
  ]) {
    const response = await served.admin('GET', `/admin/members/upload/?${query}`);
    expect([query, response.status]).toEqual([query, status]);
  }
  expect(readdirSync(`${dirname(served.path)}/uploads`)).toEqual([]);
});

test('the address that a member had when it left stays unsubscribed', async () => {
  const served = await serve();
  weekly(served);
  const subscribed = 'email,subscribed_to_emails\nold@example.com,';
  await upload(served, { file: `${subscribed}false` });
  const [id] = values(served, 'SELECT id FROM members');
  const moved = { members: [{ email: 'new@example.com' }] };
  expect((await served.admin('PUT', `/admin/members/${id}/`, moved)).status).toBe(200);
  expect((await upload(served, { file: `${subscribed}true` })).status).toBe(201);
  expect(values(served, 'SELECT email FROM members')).toHaveLength(2);
  expect(values(served, 'SELECT id FROM members_newsletters')).toEqual([]);
});

const LONG = `email,name\na@example.com,${'x'.repeat(2_000_000)}\n`;

test('a file is refused as a whole', async () => {
  const served = await serve();
  await checkRows(
    [
      [
        'half a letter of UTF-16',
        Buffer.from('\ufeffemail\nb@example.com\n', 'utf16le').subarray(0, -1),
        'UTF-16',
      ],
      [
        'Latin letters of one byte',
        Buffer.from('email,name\nb@example.com,Jos\xe9\n', 'latin1'),
        'UTF-8',
      ],
      ['half a letter at its end', Buffer.from('email\nb@example.com\n\xc3', 'latin1'), 'UTF-8'],
      ['an open quotation mark', 'email,name\nb@example.com,"x\n', 'line 2'],
      ['a line without end', LONG, 'line 2'],
    ],
    async ([_what, file, said]) => {
      const response = await upload(served, { file: typeof file === 'string' ? `${file}` : file });
      expect(response.status).toBe(422);
      const problem = await problemOf(response);
      expect(problem).toMatchObject({ type: 'ValidationError', property: 'membersfile' });
      expect(problem.message).toBe('Validation error, cannot import members.');
      expect(String(problem.context)).toContain(said);
      expect(String(problem.context)).toMatch(/^The file members\.csv .*Nothing was imported\.$/);
      expect(values(served, 'SELECT count(*) FROM members')).toEqual([0]);
      expect(values(served, 'SELECT count(*) FROM labels')).toEqual([0]);
      expect(readdirSync(`${dirname(served.path)}/uploads`)).toEqual([]);
    },
  );
});

test('a request without the file, or without a form', async () => {
  const served = await serve();
  expect((await served.admin('POST', '/admin/members/upload/', {})).status).toBe(415);
  const fields: [string, string][] = [['labels', 'x'.repeat(192)]];
  const response = await upload(served, { file: 'email\na@example.com\n', fields });
  expect(await faultOf(response)).toEqual([422, 'labels']);
  expect(values(served, 'SELECT count(*) FROM members')).toEqual([0]);
});

const three = (served: Served): string[] =>
  [1, 2, 3].map((at) => served.insert('members', { email: `m${at}@example.com`, updated_at: AT }));

const bulk = (served: Served, query: string, body: Json): Promise<Response> =>
  served.admin('PUT', `/admin/members/bulk/?${query}`, { bulk: body });

test('labels are added to and removed from those that a filter chooses', async () => {
  const served = await serve();
  const [first] = three(served);
  const label_id = served.insert('labels', { name: 'VIP', slug: 'vip', created_at: AT });
  served.insert('members_labels', { member_id: first, label_id, sort_order: 0 });
  const add = { action: 'addLabel', meta: { label: { id: label_id } } };
  const response = await bulk(served, "filter=email:~'example.com'", add);
  expect([response.status, await response.json()]).toEqual([
    200,
    {
      bulk: {
        action: 'addLabel',
        meta: {
          stats: { successful: 3, unsuccessful: 0 },
          errors: [],
          unsuccessfulData: [],
        },
      },
    },
  ]);
  expect(values(served, 'SELECT count(*) FROM members_labels')).toEqual([3]);
  // Nothing changed of the one that had it.
  expect(values(served, `SELECT count(*) FROM members WHERE updated_at = '${AT}'`)).toEqual([1]);
  expect(
    values(served, 'SELECT DISTINCT substr(action, 1, 5) FROM changes WHERE action IS NOT NULL'),
  ).toEqual(['bulk:']);
  await bulk(served, 'search=m2', { action: 'addLabel', meta: { label: { name: 'Made' } } });
  expect(values(served, "SELECT count(*) FROM labels WHERE slug = 'made'")).toEqual([1]);
  const remove = { action: 'removeLabel', meta: { label: { name: 'vip' } } };
  expect((await bulk(served, 'all=true', remove)).status).toBe(200);
  expect(values(served, 'SELECT count(*) FROM members_labels')).toEqual([1]);
});

test('members whom the filter no longer chose are told apart', async () => {
  const served = await serve();
  const [id, change] = ['1'.repeat(24), '{"does":"delete","nowMs":1}'];
  const ended = { state: 'done', created_at: Date.now(), ended_at: 1, counts: '{"passed":2}' };
  served.insert('bulk_jobs', {
    ...ended,
    id,
    kind: 'delete',
    change,
    report: '{}',
    members_total: 3,
  });
  const response = await served.admin('GET', `/admin/members/bulk/${id}/`);
  expect(await response.json()).toMatchObject({
    job: {
      result: {
        meta: {
          stats: { successful: 1, unsuccessful: 2 },
          unsuccessfulIds: [],
          errors: ['2 members passed over: saved meanwhile, and no longer chosen by the filter.'],
        },
      },
    },
  });
});

test('members are unsubscribed from one newsletter, or from all', async () => {
  const served = await serve();
  const [one, two] = [
    weekly(served),
    served.insert('newsletters', {
      uuid: crypto.randomUUID(),
      name: 'Daily',
      slug: 'daily',
      created_at: AT,
    }),
  ];
  for (const member_id of three(served)) {
    for (const newsletter_id of [one, two]) {
      served.insert('members_newsletters', { member_id, newsletter_id });
    }
  }
  await bulk(served, 'filter=newsletters:daily', { action: 'unsubscribe', newsletter: one });
  expect(values(served, 'SELECT newsletter_id FROM members_newsletters')).toEqual([two, two, two]);
  await bulk(served, 'search=m1', { action: 'unsubscribe', meta: {} });
  expect(values(served, 'SELECT count(*) FROM members_newsletters')).toEqual([2]);
  const events = 'SELECT count(*) FROM members_subscribe_events WHERE subscribed = 0';
  expect(values(served, events)).toEqual([4]);
});

test('members are deleted by a filter, a search, or all of them', async () => {
  const served = await serve();
  three(served);
  const remove = (query: string) => served.admin('DELETE', `/admin/members/?${query}`);
  const response = await remove('search=m1');
  expect([response.status, await response.json()]).toEqual([
    200,
    { meta: { stats: { successful: 1, unsuccessful: 0 }, unsuccessfulIds: [], errors: [] } },
  ]);
  await remove("filter=email:'m2@example.com'");
  expect(values(served, 'SELECT email FROM members')).toEqual(['m3@example.com']);
  expect((await remove('all=true')).status).toBe(200);
  expect(values(served, 'SELECT count(*) FROM members')).toEqual([0]);
});

test('what does not say which members are meant is refused', async () => {
  const served = await serve();
  three(served);
  await checkRows(
    [
      ['', 422],
      ['filter=', 422],
      ['search=%20', 422],
      ['all=false', 422],
      ['all=1', 422],
      ['all=true&filter=status:free', 422],
      ['filter=((', 400],
      ['filter=secret:x', 400],
    ],
    async ([query, status]) => {
      const before = values(served, 'SELECT count(*) FROM changes');
      expect((await served.admin('DELETE', `/admin/members/?${query}`)).status).toBe(status);
      expect((await bulk(served, query, { action: 'unsubscribe' })).status).toBe(status);
      expect(values(served, 'SELECT count(*) FROM changes')).toEqual(before);
    },
  );
});

test('refused, and nothing is changed', async () => {
  const served = await serve();
  three(served);
  await checkRows(
    [
      [{ action: 'ban' }, 'action'],
      [{ action: 'addLabel' }, 'meta'],
      [{ action: 'addLabel', meta: { label: { id: 'f'.repeat(24) } } }, 'meta'],
      [{ action: 'removeLabel', meta: { label: { name: 'Unknown' } } }, 'meta'],
      [{ action: 'unsubscribe', newsletter: 'f'.repeat(24) }, 'newsletter'],
      [{ action: 'unsubscribe', newsletters: ['f'.repeat(24)] }, 'payload'],
    ],
    async ([body, property]) => {
      const response = await bulk(served, 'all=true', body);
      expect(await faultOf(response)).toEqual([422, property]);
      expect(values(served, 'SELECT count(*) FROM labels')).toEqual([0]);
      expect((await served.admin('PUT', '/admin/members/bulk/?all=true', {})).status).toBe(400);
      const meta = { newsletter: { id: 'x' } };
      const nested = await bulk(served, 'all=true', { action: 'unsubscribe', meta });
      expect(await nested.text()).toContain('"meta.newsletter must be a string."');
    },
  );
  // As a filter that takes too long, which is known only when members are looked for.
  const meta = { label: { name: 'New' } };
  const unread = await bulk(served, 'filter=foo:bar', { action: 'addLabel', meta });
  expect(unread.status).toBe(400);
  expect(values(served, 'SELECT count(*) FROM labels')).toEqual([0]);
});

const MANY = 2_001;

const insertMany = ({ shell }: Served): void => {
  shell.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
    INSERT INTO members (id, uuid, email, status, created_at)
    SELECT printf('%024x', i), lower(hex(randomblob(16))), 'm' || i || '@example.com', 'free', '${AT}' FROM n`);
};

test('a label of many members goes in parts, between which others save', async () => {
  const served = await serve();
  insertMany(served);
  const label = served.insert('labels', { name: 'VIP', slug: 'vip', created_at: AT });
  served.shell.exec(`INSERT INTO members_labels (id, member_id, label_id)
    SELECT id, id, '${label}' FROM members`);
  const { store } = served;
  const left = [MANY];
  const write: typeof store.write = async (...args) => {
    const written = await store.write(...args);
    left.push(Number(values(served, 'SELECT count(*) FROM members_labels')[0]));
    return written;
  };
  let ms = 0;
  const now = () => (ms += 10);
  await deleteLabel({ store: { ...store, write }, clock: systemClock }, label, now);
  // On PostgreSQL a part may run twice, and then has less time.
  const parts = left.slice(1).map((count, at) => (left[at] ?? 0) - count);
  expect([Math.max(...parts) <= 500, left.at(-1)]).toEqual([true, 0]);
  expect(values(served, 'SELECT count(*) FROM labels')).toEqual([0]);
});

test('work on many members is answered at once, with the address that shows how far it is', async () => {
  const served = await serve();
  insertMany(served);
  const response = await served.admin('DELETE', '/admin/members/?all=true');
  const { job } = (await response.json()) as { job: Json };
  const address = response.headers.get('location') ?? '';
  const path = `/admin/members/bulk/${job.id}/`;
  expect([response.status, address]).toEqual([202, expect.stringContaining(path)]);
  expect(job).toMatchObject({ kind: 'delete', state: 'running', members_total: MANY });
  const later = await eventually(async () => {
    const shown = (await (await served.admin('GET', path)).json()) as { job: Json };
    expect(shown.job.state).toBe('done');
    return shown;
  });
  expect(later.job).toMatchObject({
    members_done: MANY,
    error: null,
    result: { meta: { stats: { successful: MANY, unsuccessful: 0 } } },
  });
  expect(values(served, 'SELECT count(*) FROM members')).toEqual([0]);
  expect((await served.admin('GET', `/admin/members/bulk/${'f'.repeat(24)}/`)).status).toBe(404);
});

test.skipIf(isOnPostgres)('work that ends half way says so', async () => {
  const served = await serve();
  three(served);
  served.shell.exec(
    "CREATE TRIGGER no BEFORE DELETE ON members BEGIN SELECT raise(ABORT, 'kept'); END",
  );
  const response = await served.admin('DELETE', '/admin/members/?all=true');
  expect([response.status, (await problemOf(response)).message]).toEqual([
    500,
    '0 of 3 members were deleted, then the work stopped: kept',
  ]);
});

test('a server that starts goes on with what was left unfinished', async () => {
  const served = await serve({
    prepare: async ({ store, insert }) => {
      insert('members', { email: 'left@example.com' });
      await planBulkDelete({ store, nowMs: 1 }, selectMembers({ all: 'true' } as never, 1));
    },
  });
  await eventually(() => expect(values(served, 'SELECT count(*) FROM members')).toEqual([0]));
});

test('a server goes on with what another program left that was killed beside it', async () => {
  const served = await serve();
  const { store } = served;
  served.insert('members', { email: 'left@example.com' });
  // The system frees it when its holder ends.
  const lock = await acquireBulkLock(store);
  await planBulkDelete({ store, nowMs: 1 }, selectMembers({ all: 'true' } as never, 1));
  lock.release();
  await eventually(() => expect(values(served, 'SELECT count(*) FROM members')).toEqual([0]));
});
