// What an import of a members CSV makes of labels, times, mappings and opt-outs, and what it says of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ImportReport } from '../../../../src/publication/import/import-report.ts';
import {
  importReportOf,
  planMembersImport,
} from '../../../../src/publication/import/members-csv/members-csv.ts';
import { exportMembersCsv } from '../../../../src/publication/import/members-csv/members-csv-export.ts';
import { openSecretBox } from '../../../../src/publication/store/access/secrets.ts';
import { getJob } from '../../../../src/publication/store/members/bulk-jobs.ts';
import { deleteChosen } from '../../../../src/publication/store/members/member-bulk.ts';
import { editMember } from '../../../../src/serve/admin/members/members.ts';
import { unsubscribe, unsubscribeUrl } from '../../../../src/serve/admin/members/unsubscribe.ts';
import { runBulkJobs } from '../../../../src/serve/server/member-jobs/run-bulk-jobs.ts';
import { importMembersCsv } from '../../../helpers/import-members.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const HOUR = 3_600_000;

let publication: Publication;

beforeEach(async () => {
  publication = await createPublication();
  publication.insert('newsletters', { uuid: 'n', name: 'N', slug: 'n', created_at: '2024-01-01' });
});

type Options = Parameters<typeof importMembersCsv>[2];

const importLines = (lines: readonly string[], options?: Options): Promise<ImportReport> => {
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, lines.join('\n'));
  return importMembersCsv(publication.store, file, options);
};

/** Runs SQL after the file was judged, before its lines are written. */
const importBeside = async (
  lines: readonly string[],
  meanwhile: string,
  options: { readonly replaces?: boolean } = {},
): Promise<ImportReport> => {
  const { store, shell } = publication;
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, lines.join('\n'));
  const id = await planMembersImport(store, file, options);
  shell.exec(meanwhile);
  await runBulkJobs(store);
  return importReportOf(await getJob(store, id));
};

const listed = (statement: string): unknown[] => publication.shell.prepare(statement).pluck().all();

const subscribed = (): unknown[] =>
  listed(`SELECT email FROM members WHERE id IN (SELECT member_id FROM members_newsletters)
          ORDER BY email`);

test.each([
  ['unsubscribed', []],
  ['bounced Feb', ['a@t.io']],
  ['Bounced 2024-02', []],
  ['Abgemeldet', []],
  ['vip; unsubscribed', []],
  ['vip|unsubscribed', []],
  ['vip / unsubscribed', []],
  ['site.test/unsubscribed', ['a@t.io']],
  ['Readers', ['a@t.io']],
])(
  'the label %s of an upload means what it means in a column of labels',
  async (label, readers) => {
    const upload = { labels: [label], name: 'm.csv', onRefused: () => {} };
    await importLines(['email,name', 'a@t.io,3'], { upload });
    expect(subscribed()).toEqual(readers);
    await importLines(['email,labels', `b@t.io,${label}`]);
    expect(subscribed()).toEqual(readers.flatMap((reader) => [reader, 'b@t.io']));
  },
);

test('the label of an upload gives way to a column that says who is subscribed', async () => {
  const upload = { labels: ['unsubscribed'], name: 'm.csv', onRefused: () => {} };
  const lines = ['email,status', 'a@t.io,active', 'b@t.io,'];
  const { warnings } = await importLines(lines, { upload });
  expect(subscribed()).toEqual(['a@t.io']);
  expect(warnings).toEqual([expect.stringMatching(/: 1 \(the labels of the upload\)\.$/)]);
});

test('a time in another form is left out of created_at, and hours of twelve are read', async () => {
  const forms = ['2023-01-02 15:04:05 CET', '2023-01-02, 15:04', '2023-01-02 15:04 Uhr'];
  const cells = ['2023-01-02 03:04 PM', '0000-00-00 00:00:00', ...forms, '2023-13-01 10:00'];
  const lines = cells.map((cell, at) => `${at}@t.io,"${cell}"`);
  const { skipped, warnings } = await importLines([
    'email,created_at',
    ...lines,
    '7@t.io,2023-02-30',
  ]);
  expect(skipped.map(({ id, field }) => `${id}: ${field}`)).toEqual([
    'line 7: created_at',
    'line 8: created_at',
  ]);
  expect(warnings).toEqual([expect.stringMatching(/^Times of signup .*: 3 \(created_at\)\.$/)]);
  expect(listed("SELECT email FROM members WHERE created_at < '2026'")).toEqual(['0@t.io']);
  expect(listed("SELECT created_at FROM members WHERE email = '0@t.io'")).toEqual([
    '2023-01-02T15:04:00.000Z',
  ]);
});

test('members who left here and are called subscribed are counted', async () => {
  const header = 'email,subscribed_to_emails';
  await importLines([header, 'a@t.io,false', 'b@t.io,false', 'c@t.io,true', 'd@t.io,false']);
  const again = [header, 'a@t.io,true', 'b@t.io,true', 'c@t.io,true', 'd@t.io,'];
  const { warnings } = await importLines(again);
  expect(warnings).toEqual([
    'Members who left newsletters here were not resubscribed (import --replace does that); members: 2.',
  ]);
  expect((await importLines(again, { replaces: true })).warnings).toEqual([]);
  expect(subscribed()).toEqual(['a@t.io', 'b@t.io', 'c@t.io']);
});

test('who leaves while a file replaces what is stored stays unsubscribed', async () => {
  const { store } = publication;
  await importLines(['email,subscribed_to_emails', 'a@t.io,true', 'b@t.io,false']);
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, 'email,subscribed_to_emails\na@t.io,true\nb@t.io,true\n');
  const id = await planMembersImport(store, file, { replaces: true });
  const [member_id] = listed("SELECT id FROM members WHERE email = 'a@t.io'");
  publication.shell.prepare('DELETE FROM members_newsletters').run();
  const left = { member_id, subscribed: 0, source: 'member' };
  const created_at = new Date(Date.now() + 1).toISOString();
  publication.insert('members_subscribe_events', { ...left, created_at });
  await runBulkJobs(store);
  expect(subscribed()).toEqual(['b@t.io']);
  expect(importReportOf(await getJob(store, id)).warnings).toEqual([
    expect.stringMatching(/not resubscribed .* members: 1\.$/),
  ]);
});

test.each(['DELETE FROM members', "UPDATE members SET email = 'new@t.io'"])(
  'who is gone while an import runs is not made again: %s',
  async (statement) => {
    await importLines(['email', 'a@t.io']);
    const { tables, warnings } = await importBeside(
      ['email', 'a@t.io', 'b@t.io'],
      `${statement} WHERE email = 'a@t.io'`,
    );
    expect(listed("SELECT email FROM members WHERE email <> 'new@t.io'")).toEqual(['b@t.io']);
    expect(tables.members).toMatchObject({ read: 2, added: 1, skipped: 1 });
    expect(warnings).toEqual([expect.stringMatching(/while the import ran were skipped: 1\.$/)]);
  },
);

test('who is gone while a file is read is not made again', async () => {
  await importLines(['email', 'a@t.io']);
  const { store, shell } = publication;
  const file = join(temporaryFolder(), 'members.csv');
  const others = Array.from({ length: 400 }, (_, at) => `${at}@t.io`);
  writeFileSync(file, ['email', ...others, 'a@t.io'].join('\n'));
  // Told after each 200 lines; a build takes changes out of the log.
  const steps = ['DELETE FROM members', 'DELETE FROM changes'];
  const onProgress = (): void => void shell.exec(steps.shift() ?? '');
  await planMembersImport(store, file, { onProgress });
  await runBulkJobs(store);
  expect(listed('SELECT count(*) FROM members')).toEqual([400]);
});

test.each([
  [true, null],
  [false, 'First'],
])('who is saved while a file is imported stays so: replaces %s', async (replaces, others) => {
  await importLines(['email,note', 'a@t.io,First', 'b@t.io,First', 'c@t.io,First']);
  const saved = new Date(Date.now() + HOUR).toISOString();
  const { warnings } = await importBeside(
    ['email,note,subscribed_to_emails', 'a@t.io,,false', 'b@t.io,,', 'c@t.io,Again,'],
    `UPDATE members SET note = 'Saved', updated_at = '${saved}' WHERE email = 'a@t.io';
     UPDATE members SET note = NULL, updated_at = '${saved}' WHERE email = 'c@t.io'`,
    { replaces },
  );
  expect(listed('SELECT note FROM members ORDER BY email')).toEqual(['Saved', others, null]);
  expect(subscribed()).toEqual(['b@t.io', 'c@t.io']);
  expect(warnings).toEqual([expect.stringMatching(/were left as they are: 2\.$/)]);
});

test('who was saved by a clock that ran ahead is imported like others', async () => {
  await importLines(['email,note', 'a@t.io,First']);
  const ahead = new Date(Date.now() + HOUR).toISOString();
  publication.shell.prepare('UPDATE members SET updated_at = ?').run(ahead);
  const { warnings } = await importLines(['email,note', 'a@t.io,Again'], { replaces: true });
  expect(warnings).toEqual([]);
  expect(listed('SELECT note FROM members')).toEqual(['Again']);
});

test('a save with a clock that stepped back while an import runs stays', async () => {
  const { store } = publication;
  await importLines(['email,note', 'a@t.io,First', 'b@t.io,First']);
  const [a, b] = listed('SELECT id FROM members ORDER BY email').map(String) as [string, string];
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, 'email,note,subscribed_to_emails\na@t.io,Again,true\nb@t.io,Again,true\n');
  await planMembersImport(store, file, { replaces: true });
  const clock = { now: () => Date.now() - HOUR };
  await editMember({ store, clock }, a, { note: 'Saved', newsletters: [] });
  const uuid = String(listed(`SELECT uuid FROM members WHERE id = '${b}'`)[0]);
  const secretBox = openSecretBox(join(temporaryFolder(), 'secret.key'));
  const key = new URL(unsubscribeUrl({ secretBox, publicUrl: () => 'https://t.io' }, uuid));
  await unsubscribe({ store, clock, secretBox }, { uuid, key: key.searchParams.get('key') ?? '' });
  await runBulkJobs(store);
  expect(listed('SELECT note FROM members ORDER BY email')).toEqual(['Saved', 'First']);
  expect(subscribed()).toEqual([]);
});

test('a customer or gift of another member by then gives nobody a tier', async () => {
  const crew = { name: 'Crew', slug: 'crew', type: 'paid', active: 1, created_at: '2024-01-01' };
  publication.insert('tiers', crew);
  await importLines(['email', 'first@t.io', 'known@t.io']);
  const taken = await importBeside(
    [
      'email,tiers,stripe_customer_id,subscribed_to_emails',
      'new@t.io,Crew,cus_1,true',
      'known@t.io,Crew,cus_2,false',
    ],
    `INSERT INTO customers (id, member_id, customer_id, created_at)
     SELECT 'one', id, 'cus_1', '2026' FROM members WHERE email = 'first@t.io';
     INSERT INTO customers (id, member_id, customer_id, created_at)
     SELECT 'two', id, 'cus_2', '2026' FROM members WHERE email = 'first@t.io'`,
  );
  expect(listed('SELECT email || status FROM members ORDER BY email')).toEqual([
    'first@t.iofree',
    'known@t.iofree',
  ]);
  expect(subscribed()).toEqual(['first@t.io']);
  expect(taken.tables.members).toMatchObject({ read: 2, skipped: 2 });
  expect(taken.warnings).toContainEqual(expect.stringMatching(/another member .* skipped: 2\.$/));
});

test('a meaning that no column has is refused with those that there are', async () => {
  const columns = importLines(['email,A', 'a@t.io,x'], { mapping: { A: 'nonsense' } });
  const message = expect.stringMatching(
    /^The column "A" cannot be "nonsense": name a column of Ghost's file \(id, email, .*, gift_id\), /,
  );
  await expect(columns).rejects.toMatchObject({ code: 'COLUMNS_UNCLEAR', message });
});

test.each<[lines: readonly string[], mapping: Record<string, string>, named: string]>([
  [['email,A,B', 'a@t.io,x,y'], { A: 'name', B: 'name' }, '"A" and "B" cannot both be "name"'],
  [
    ['Email Address,Email', ',', 'a@t.io,', 'b@t.io,Yes', 'c@t.io,'],
    {},
    '"Email" and "Email Address" cannot both be "email"',
  ],
])('two columns that have or could have one meaning are named: %j', async (lines, mapping, two) => {
  await expect(importLines(lines, { mapping })).rejects.toMatchObject({
    code: 'COLUMNS_UNCLEAR',
    message: `The columns ${two}: give one of them another meaning.`,
  });
});

test.each<[mapping: Record<string, string>, readers: readonly string[]]>([
  [{ Email: 'subscribed_to_emails' }, ['b@t.io']],
  [{ 'Email Address': 'email' }, ['a@t.io', 'b@t.io']],
])(
  'a column "Email" that is no address has the meaning that %j gives',
  async (mapping, readers) => {
    await importLines(['Email Address,Email', 'a@t.io,', 'b@t.io,Yes'], { mapping });
    expect(subscribed()).toEqual(readers);
  },
);

test('an empty cell subscribes nobody, whatever columns of something else or times say', async () => {
  const others = [
    ['OPTIN_TIME', '2023-01-02'],
    ['CONFIRM_TIME', '2023-01-02'],
    ['Consent date', '2023-01-02'],
    ['OPTIN_TIME', '2023-01-02', 'ignore'],
    ['CONFIRM_TIME', '2023-01-02', 'created_at'],
    ['Type', 'free', 'ignore'],
    ['city,state', 'Reno,active'],
    ['consent', 'yes', 'ignore'],
  ] as const;
  // Nothing else answers for a column that the mapping calls Ghost's.
  const alone = [
    ['status', 'active'],
    ['consent', 'yes'],
    ['Type', 'free'],
    ['state', 'NV'],
  ] as const;
  const asked = [
    ...[...others, ...alone].map((other) => ['Permission', 'subscribed_to_emails', other] as const),
    ...others.map((other) => ['Permission', 'status', other] as const),
    ...others.map((other) => ['status', undefined, other] as const),
    ['Subscribed', undefined, ['OPTIN_TIME', '2023-01-02']] as const,
    ['Subscribed', undefined, ['state', 'NV']] as const,
  ];
  const wrong: unknown[] = [];
  for (const [at, [name, meaning, [other, cell, isElse]]] of asked.entries()) {
    const mapping = { ...(meaning && { [name]: meaning }), ...(isElse && { [other]: isElse }) };
    const lines = [`email,${name},${other}`, `m${at}@t.io,,${cell}`];
    const { warnings } = await importLines(lines, { mapping });
    const isNamed = warnings.some(
      (one) => one.includes(`subscription`) && one.includes(`(${name}`),
    );
    if (!isNamed || subscribed().length > 0) wrong.push([lines, mapping, warnings]);
    publication.shell.exec('DELETE FROM members_newsletters');
  }
  expect(wrong).toEqual([]);
});

test('labels with quotation marks and commas come back from an export as they were', async () => {
  const names = ['"x, y"', 'a"b, c', '"x"', 'y, z,"x"', '"a', 'b"', 'a""b'];
  const id = publication.insert('members', {
    uuid: 'm',
    email: 'a@t.io',
    status: 'free',
    created_at: '2024-01-01',
  });
  for (const [at, name] of names.entries()) {
    const label = publication.insert('labels', { name, slug: `l${at}`, created_at: '2024-01-01' });
    publication.insert('members_labels', { member_id: id, label_id: label, sort_order: at });
  }
  const file = join(temporaryFolder(), 'members.csv');
  exportMembersCsv(publication.store, file, { filter: null, search: null, timeMs: 0, limit: null });
  const other = await createPublication();
  await importMembersCsv(other.store, file);
  const imported = other.shell.prepare('SELECT name FROM labels').pluck().all();
  expect(imported.toSorted()).toEqual(names.toSorted());
});

test('a free member with a tier, as the database of Ghost has some, comes back from an export', async () => {
  const facts = { created_at: '2024-01-01' };
  const tier = publication.insert('tiers', { ...facts, name: 'Crew', slug: 'crew', type: 'paid' });
  const free = { ...facts, uuid: 'm', email: 'a@t.io', status: 'free' };
  publication.insert('members_tiers', {
    member_id: publication.insert('members', free),
    tier_id: tier,
  });
  const file = join(temporaryFolder(), 'members.csv');
  exportMembersCsv(publication.store, file, { filter: null, search: null, timeMs: 0, limit: null });
  const other = await createPublication();
  other.insert('tiers', { ...facts, name: 'Crew', slug: 'crew', type: 'paid' });
  expect((await importMembersCsv(other.store, file)).skipped).toEqual([]);
  const members = other.shell.prepare('SELECT email, status FROM members').all();
  expect(members).toEqual([{ email: 'a@t.io', status: 'free' }]);
});

test('a refused line shows the cell that was not understood', async () => {
  const long = 'x'.repeat(70);
  const { skipped } = await importLines([
    'email,status,created_at',
    'a@t.io,Trial week,',
    'nobody,free,',
    'b@t.io,free,2024-02-30',
    `c@t.io,${long},`,
  ]);
  expect(skipped.map(({ id, field, reason }) => `${id}: ${field} ${reason}`)).toEqual([
    'line 2: status may say whether the reader wants mail, and "Trial week" is not understood: map the column, or ignore it to import the reader unsubscribed',
    'line 3: email is not a valid e-mail address: it has no "@"',
    'line 4: created_at is not a time that can be read, got "2024-02-30"',
    expect.stringContaining(`wants mail, and "${'x'.repeat(60)}..." is not understood`),
  ]);
});

test('a domain in letters and in ASCII is one', async () => {
  await importLines(['email', 'a@münchen.de', 'b@xn--mnchen-3ya.de']);
  await importLines(['email,unsubscribed', 'A@xn--mnchen-3ya.de,1', 'b@münchen.de,1']);
  expect(listed('SELECT email FROM members ORDER BY email')).toEqual([
    'a@münchen.de',
    'b@xn--mnchen-3ya.de',
  ]);
  expect(subscribed()).toEqual([]);
  const lines = ['email,unsubscribed', 'c@münchen.de,1', 'c@xn--mnchen-3ya.de,0'];
  expect((await importLines(lines)).tables.members).toMatchObject({ added: 1 });
  expect(subscribed()).toEqual([]);
});

test('a skipped line that says that the reader left ends the newsletters of a stored member', async () => {
  const emails = ['a@t.io', 'b@t.io', 'c@t.io', 'd@t.io', 'e@t.io', 'f@t.io'];
  await importLines(['email', ...emails]);
  const report = await importLines([
    'email,subscribed_to_emails,complimentary_plan,tiers,created_at',
    'a@t.io,false,true,No such tier,',
    'b@t.io,false,,,2026-02-30',
    'C@t.io,false,maybe,,',
    'd@t.io,false',
    'e@t.io,who knows,,,',
    'new@t.io,false,maybe,,',
    'f@t.io,Smith, Ann,false,,',
    'two@t.io; three@t.io,false,,,',
  ]);
  expect(subscribed()).toEqual(['e@t.io', 'f@t.io']);
  expect(listed('SELECT count(*) FROM members')).toEqual([6]);
  expect(report.tables.members).toMatchObject({ read: 8, skipped: 8, changed: 0, added: 0 });
  expect(report.warnings.join()).toMatch(/may say .* lines: 3 \(line 6, line 8, line 9\)/);
  expect(report.warnings.join()).toMatch(
    /Skipped lines .* lines: 5 \(line 2, line 3, line 4, line 5, line 7\)/,
  );
});

test.each<[name: string, lines: readonly string[], readers: readonly string[]]>([
  // Ghost's own template, whose column says nothing: the name of the file counts.
  ['bounces.csv', ['email,name,subscribed_to_emails', 'a@t.io,Ann,', 'b@t.io,Bo,true'], ['b@t.io']],
  ['Unsubscribed.csv', ['email,subscribed_to_emails', 'a@t.io,'], []],
  // When a reader signed up does not say that the reader confirmed.
  [
    'm.csv',
    [
      'Email,Subscribed,CONFIRM_TIME',
      'a@t.io,2023-01-02 10:00:00,',
      'b@t.io,2023-01-02 10:00:00,2023-01-03 10:00:00',
      'c@t.io,yes,',
      'd@t.io,no,2023-01-03 10:00:00',
    ],
    ['b@t.io', 'c@t.io'],
  ],
])('%s with the lines %j subscribes %j', async (name, lines, readers) => {
  await importLines(lines, { upload: { labels: [], name, onRefused: () => {} } });
  expect(subscribed()).toEqual(readers);
});

test('UTF-16 without its mark is refused', async () => {
  const file = join(temporaryFolder(), 'members.csv');
  for (const bytes of ['utf16le', 'swapped']) {
    const text = Buffer.from('email,name\na@t.io,Иван\n', 'utf16le');
    writeFileSync(file, bytes === 'swapped' ? text.swap16() : text);
    await expect(importMembersCsv(publication.store, file)).rejects.toMatchObject({
      code: 'MEMBERS_CSV_INVALID',
    });
  }
});

test('a complimentary plan of the free tier comes back from an export', async () => {
  const tier = publication.insert('tiers', {
    name: 'Gratis',
    slug: 'gratis',
    type: 'free',
    created_at: '2024-01-01',
  });
  await importLines(['email,complimentary_plan,tiers,created_at', 'a@t.io,true,Gratis,2024/03/09']);
  expect(listed('SELECT tier_id FROM members_tiers')).toEqual([tier]);
  expect(listed('SELECT created_at FROM members')).toEqual(['2024-03-09T00:00:00.000Z']);
});

test('an address is read as mail programs copy it, and who was deleted elsewhere gets no mail', async () => {
  await importLines(['email', 'a@t.io', 'b@t.io', 'c@t.io', 'd@t.io']);
  await importLines(
    ['email,deleted_at', 'Ann <a@t.io>,', 'mailto:B@t.io,', '<c@t.io>,', 'd@t.io,2024-01-01'],
    { upload: { labels: [], name: 'unsubscribed.csv', onRefused: () => {} } },
  );
  expect(subscribed()).toEqual([]);
  await importLines(['email,subscribed_to_emails', 'Eve <e@t.io>,true', 'd@t.io <x>,true']);
  expect(listed('SELECT email FROM members ORDER BY email').slice(-2)).toEqual([
    'd@t.io',
    'e@t.io',
  ]);
});

test.each<[lines: readonly string[], mapping: Record<string, string>, readers: readonly string[]]>([
  [['email,newsletter', 'a@t.io,Weekly', 'n@t.io,Weekly'], {}, ['a@t.io']],
  [['email,newsletter', 'a@t.io,Weekly', 'n@t.io,Weekly'], { newsletter: 'ignore' }, ['a@t.io']],
  [['email,status', 'a@t.io,VIP customer'], {}, ['a@t.io']],
  [['email,consent', 'a@t.io,maybe', 'n@t.io,'], {}, ['a@t.io']],
  [['email,CONFIRM_TIME', 'a@t.io,', 'n@t.io,'], {}, ['a@t.io']],
  [['email,status', 'a@t.io,subscribed', 'a@t.io,VIP customer'], {}, ['a@t.io']],
  [['email,status', 'a@t.io,unsubscribed', 'a@t.io,VIP customer'], {}, []],
  [['email,status,CONFIRM_TIME', 'a@t.io,unsubscribed,2024-01-01 10:00:00'], {}, []],
  [['email,subscribed_to_emails,status', 'a@t.io,false,VIP customer'], {}, []],
])(
  'words that are not understood subscribe nobody new and leave members as they are: %j %j',
  async (lines, mapping, readers) => {
    await importLines(['email', 'a@t.io']);
    await importLines(lines, { mapping });
    expect(subscribed()).toEqual(readers);
  },
);

test.each([
  ['a file that knows no more', 'a@t.io,', {}, []],
  ['a file with an earlier signup', 'a@t.io,2024-05-01', {}, []],
  ['a file with a later signup', 'a@t.io,2024-07-01', {}, ['a@t.io']],
  ['a file that replaces', 'a@t.io,', { replaces: true }, ['a@t.io']],
])('who left and was deleted, in %s', async (_name, line, options, readers) => {
  const { store, shell } = publication;
  await importLines(['email', 'a@t.io']);
  const id = String(listed('SELECT id FROM members')[0]);
  await editMember({ ...publication, clock: { now: Date.now } }, id, { newsletters: [] });
  await store.write((tx) => deleteChosen(tx, [id]));
  shell.exec("UPDATE left_members SET left_at = '2024-06-01 00:00:00'");
  const { warnings } = await importLines(['email,created_at', line], options);
  expect(subscribed()).toEqual(readers);
  const named = readers.length === 0 ? expect.stringContaining('left newsletters here') : undefined;
  expect(warnings.find((one) => one.includes('left newsletters'))).toEqual(named);
});

test('what another program left of a member whom it deleted is not that of the one who comes again', async () => {
  const { shell } = publication;
  const id = '1'.repeat(24);
  await importLines(['id,email,labels', `${id},a@t.io,Old`]);
  shell.exec('PRAGMA foreign_keys = off; DELETE FROM members; PRAGMA foreign_keys = on');
  await importLines(['id,email,labels', `${id},a@t.io,New`]);
  expect(subscribed()).toEqual(['a@t.io']);
  const labels = 'SELECT name FROM labels JOIN members_labels ON label_id = labels.id';
  expect(listed(labels)).toEqual(['New']);
});
