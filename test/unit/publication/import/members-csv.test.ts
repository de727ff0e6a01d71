// Ghost's members CSV: what it says of members is taken, by e-mail address; what it does not say stays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ImportReport } from '../../../../src/publication/import/import-report.ts';
import { countLosses } from '../../../../src/publication/import/members-csv/members-csv.ts';
import { isMembersHeader } from '../../../../src/publication/import/members-csv/members-csv-file.ts';
import { importMembersCsv } from '../../../helpers/import-members.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { changesAfter, dump, FIXTURE, importFile, NOW } from './ghost-import.ts';

/** As Ghost 6.65 writes it. */
const HEADER =
  'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers,gift_id';
const MIA =
  'a000000000000000000002bc,Mia@Example.org,Mia,,true,,cus_a,2026-01-02T00:00:00.000Z,,Early,Supporter,';

let publication: Publication;
let later = NOW;

beforeEach(async () => {
  publication = await createPublication();
  await importFile(publication, FIXTURE);
  later = NOW;
});

const importText = async (text: string | Buffer): Promise<ImportReport> => {
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, text);
  later += 1_000;
  return importMembersCsv(publication.store, file, { clock: { now: () => later } });
};

const member = (email: string): Record<string, unknown> | undefined =>
  publication.shell.prepare('SELECT * FROM members WHERE email = ?').get(email) as
    | Record<string, unknown>
    | undefined;

const linked = (table: string, column: string, email: string): unknown[] =>
  publication.shell
    .prepare(`SELECT "${column}" FROM "${table}" WHERE member_id =
              (SELECT id FROM members WHERE email = ?) ORDER BY 1`)
    .pluck()
    .all(email);

test('a header names the address, in any case and in quotation marks', () => {
  expect(isMembersHeader(HEADER)).toBe(true);
  expect(isMembersHeader('\ufeff"Email","Name"')).toBe(true);
  expect(isMembersHeader('name,mail')).toBe(false);
  expect(isMembersHeader('{"db":[{"email":1}]}')).toBe(false);
});

test('new members come with labels, the newsletters of a signup, and their tier', async () => {
  const lines = [
    HEADER,
    'b00000000000000000000001,ann@example.com,"Ann, of ""A""","two\r\nlines",true,true,,2026-02-03T04:05:06.000Z,,"Early,New one",Supporter,',
    ",bob@example.com,'=Bob,,false,,,,,,,",
  ];
  const report = await importText(`\ufeff${lines.join('\r\n')}`);
  expect(report.skipped).toEqual([]);
  expect(report.tables.members).toMatchObject({ read: 2, added: 2 });
  expect(member('ann@example.com')).toMatchObject({
    id: 'b00000000000000000000001',
    name: 'Ann, of "A"',
    note: 'two\r\nlines',
    status: 'comped',
    created_at: '2026-02-03T04:05:06.000Z',
  });
  expect(linked('members_labels', 'label_id', 'ann@example.com')).toHaveLength(2);
  expect(linked('members_newsletters', 'newsletter_id', 'ann@example.com')).toHaveLength(1);
  expect(linked('members_tiers', 'tier_id', 'ann@example.com')).toEqual([
    'a000000000000000000000d3',
  ]);
  expect(member('bob@example.com')).toMatchObject({ name: '=Bob', status: 'free' });
  expect(linked('members_newsletters', 'newsletter_id', 'bob@example.com')).toEqual([]);
});

test('a label that was renamed is made again under its former name', async () => {
  await importText('email,labels\nr@example.com,Ren\n');
  publication.shell.prepare("UPDATE labels SET name = 'Other' WHERE name = 'Ren'").run();
  await importText('email,labels\ns@example.com,Ren\n');
  const labels = publication.shell.prepare("SELECT slug FROM labels WHERE slug LIKE 'ren%'");
  expect(labels.pluck().all()).toEqual(['ren', 'ren-2']);
});

test('a member is found by address in any case, and keeps what the file does not have', async () => {
  const before = member('mia@example.org');
  const report = await importText(`email,note\nMIA@example.org,Hello\n`);
  expect(report.tables.members).toMatchObject({ added: 0, changed: 1 });
  expect(member('mia@example.org')).toMatchObject({
    id: before?.id,
    email: before?.email,
    uuid: before?.uuid,
    name: 'Mia',
    note: 'Hello',
    status: 'paid',
  });
  expect(linked('members_labels', 'label_id', 'mia@example.org')).toHaveLength(1);
});

const EMPTY = `${HEADER}\n,mia@example.org,,,,,,,,,,\n,left@example.com,,,,,,,,,,\n`;
/** Status, name, note, labels, newsletters and tiers. */
const known = (email: string): unknown[] => [
  ...['status', 'name', 'note'].map((column) => member(email)?.[column]),
  ...['labels', 'newsletters', 'tiers'].map(
    (name) => linked(`members_${name}`, `${name.replace(/s$/, '')}_id`, email).length,
  ),
];

test('a file adds and fills: it erases nothing, lowers no status and subscribes nobody who left', async () => {
  await importText(`${HEADER}\n,left@example.com,Left,A note,false,true,,,,Early,Supporter,\n`);
  const before = ['mia@example.org', 'left@example.com'].map(known);
  expect(before[1]).toEqual(['comped', 'Left', 'A note', 1, 0, 1]);
  await importText(EMPTY);
  await importText('email,subscribed_to_emails\nleft@example.com,true\n');
  expect(['mia@example.org', 'left@example.com'].map(known)).toEqual(before);
  await importText('email,labels,name,note\nleft@example.com,Another,Other,New\n');
  expect(known('left@example.com')).toEqual(['comped', 'Left', 'A note', 2, 0, 1]);
  await importText('email,name,note\nnew@example.com,,\n');
  await importText('email,name,note\nnew@example.com,Ann,Hello\n');
  expect(known('new@example.com').slice(0, 3)).toEqual(['free', 'Ann', 'Hello']);
});

test('a file that replaces takes away what it leaves empty, and what members would lose is counted first', async () => {
  await importText(`${HEADER}\n,left@example.com,Left,,false,true,,,,Early,Supporter,\n`);
  const file = join(temporaryFolder(), 'replacing.csv');
  writeFileSync(file, EMPTY.replace('left@example.com,,,,', 'left@example.com,,,true,'));
  const stored = dump(publication.shell, 'without log');
  const losses = await countLosses(publication.store, file);
  expect(losses).toEqual({ erased: 2, subscribed: 1, lowered: 1 });
  expect(dump(publication.shell, 'without log')).toBe(stored);
  await importMembersCsv(publication.store, file, { replaces: true });
  expect(known('left@example.com')).toEqual(['free', null, null, 0, 1, 0]);
});

test.each(['status\nmia@example.org,active', 'CONFIRM_TIME\nmia@example.org,2024-01-01'])(
  'a file that replaces subscribes whom any column calls subscribed: %j',
  async (text) => {
    await importText('email,subscribed_to_emails\nmia@example.org,false\n');
    const file = join(temporaryFolder(), 'replacing.csv');
    writeFileSync(file, `email,${text}\n`);
    expect(known('mia@example.org')[4]).toBe(0);
    await importMembersCsv(publication.store, file);
    expect(known('mia@example.org')[4]).toBe(0);
    expect(await countLosses(publication.store, file)).toMatchObject({ subscribed: 1 });
    await importMembersCsv(publication.store, file, { replaces: true });
    expect(known('mia@example.org')[4]).toBe(1);
  },
);

test('others save while what members would lose is counted', async () => {
  const file = join(temporaryFolder(), 'replacing.csv');
  const lines = Array.from({ length: 60 }, (_, at) => `m${at}@example.com`);
  writeFileSync(file, ['email', ...lines].join('\n'));
  let passed = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    passed += 30;
    return passed;
  });
  const write = vi.spyOn(publication.store, 'write');
  try {
    await countLosses(publication.store, file);
    expect(write.mock.calls.length).toBeGreaterThan(1);
  } finally {
    now.mockRestore();
    write.mockRestore();
  }
});

test.each([
  ['vip, "early" bird', ['vip', '"early" bird']],
  ['"VIP","Book, club"', ['Book, club', 'VIP']],
  ['["x", "y"]', ['x', 'y']],
  ["['x', 'y, z']", ['x', 'y, z']],
  ['[]', []],
  ['x,"y,z"', ['x', 'y,z']],
])('labels stand in a list, each in quotation marks or not: %s', async (cell, names) => {
  await importText(`email,labels\nl@example.com,"${cell.replaceAll('"', '""')}"\n`);
  const stored = publication.shell
    .prepare(
      `SELECT l.name FROM labels l JOIN members_labels ml ON ml.label_id = l.id JOIN members m ON m.id = ml.member_id
       WHERE m.email = ? ORDER BY l.name`,
    )
    .pluck();
  expect(stored.all('l@example.com').sort()).toEqual([...names].sort());
});

test('the products of Ghost 4 are tiers', async () => {
  const header = 'email,complimentary_plan,products';
  const { skipped } = await importText(
    `${header}\ncomp@example.com,true,Supporter\na@t.io,,None\n`,
  );
  expect(linked('members_tiers', 'tier_id', 'comp@example.com')).toHaveLength(1);
  expect(skipped).toMatchObject([{ id: 'line 3', field: 'tiers' }]);
});

test('words for yes and no are read, and other words refused', async () => {
  const words = [
    'TRUE',
    'yes',
    '1',
    't',
    '1.0',
    'Oui',
    'PRAWDA',
    'false',
    'f',
    'NEIN',
    'off',
    'ЛОЖЬ',
    'jamais',
    'never',
  ];
  const lines = words.map((word, at) => `m${at}@example.com,${word}`);
  const { skipped } = await importText(['email,subscribed_to_emails', ...lines].join('\n'));
  const numbers = words.map((_, at) => {
    const email = `m${at}@example.com`;
    return member(email) && linked('members_newsletters', 'newsletter_id', email).length;
  });
  expect(numbers).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, undefined, undefined]);
  expect(skipped.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
    'line 14 is neither true nor false, got "jamais"',
    'line 15 is neither true nor false, got "never"',
  ]);
});

test('importing again changes nothing', async () => {
  const text = `${HEADER}\n${MIA}\n,c@example.com,C,n,true,true,cus_c,2026-02-03,,"X,Y",Supporter,\n`;
  await importText(text);
  const last = publication.shell.prepare('SELECT max(seq) FROM changes').pluck().get() as number;
  const stored = dump(publication.shell, 'without log');
  const report = await importText(text);
  expect(report.tables.members).toMatchObject({ read: 2, added: 0, changed: 0, unchanged: 2 });
  expect(changesAfter(publication.shell, last)).toEqual([]);
  expect(dump(publication.shell, 'without log')).toBe(stored);
});

test.each([
  ['\\n', (text: string) => text],
  ['\\r\\n', (text: string) => text.replaceAll('\n', '\r\n')],
  ['\\r', (text: string) => text.replaceAll('\n', '\r')],
  ['\\n, then \\r\\n', (text: string) => text.replace(/(?<!^[^\n]*)\n/g, '\r\n')],
])(
  'lines that cannot be taken are named by number, the others are taken: %s',
  async (_ends, endLines) => {
    const report = await importText(
      endLines(
        [
          'email,name,created_at,deleted_at,tiers',
          'one@example.com,"over\ntwo lines",,,',
          'not an address,,,,',
          '',
          'two@example.com,Two',
          'three@example.com,a"b,,,',
          'ONE@example.com,Again,,,',
          `five@example.com,${'n'.repeat(192)},,,`,
          'six@example.com,,,2026-01-01,',
          'seven@example.com,,,,Unknown tier',
          ',,,,',
          '"no\naddress",,,,',
        ].join('\n'),
      ),
    );
    expect(report.skipped.map(({ id, field, reason }) => `${id}: ${field} ${reason}`)).toEqual([
      'line 4: email is not a valid e-mail address: it has no "@"',
      'line 6: line has 2 fields where the first line has 5',
      'line 7: line holds a quotation mark that is not doubled',
      'line 9: name is longer than 191 characters',
      'line 10: deleted_at says that the member was deleted, got "2026-01-01"',
      'line 11: tiers names a tier without a complimentary plan, a customer or a gift (set complimentary_plan to true, or leave tiers empty), got "Unknown tier"',
      'line 13: email is not a valid e-mail address: it has no "@"',
    ]);
    expect(report.tables.members).toMatchObject({ read: 9, added: 1, skipped: 7 });
  },
);

test('the last line of an address counts, however far apart the lines are, and an opt-out in any of them', async () => {
  const lines = Array.from({ length: 450 }, (_, index) => `m${index}@example.com,First,true,`);
  const more = [
    'M3@example.com,Last,true,',
    'm4@example.com,Last,no,',
    'm4@example.com,Very last,true,',
    // Refused, but not for what they say of newsletters.
    'm5@example.com,Never,false,Supporter',
    'm6@example.com,Never,JAMAIS,',
    'm7@example.com,Never,false',
    'jos\u00e9@example.com,Capital,true,',
    'JOS\u00c9@example.com,Capital,false,',
  ];
  const header = 'email,name,subscribed_to_emails,tiers';
  const { tables, warnings } = await importText([header, ...lines, ...more].join('\n'));
  expect(tables.members).toMatchObject({ read: 458, added: 451, skipped: 3 });
  const facts = [3, 4, 5, 6, 7, 8].map((at) => {
    const email = `m${at}@example.com`;
    return [member(email)?.name, linked('members_newsletters', 'id', email).length];
  });
  expect(facts).toEqual([
    ['Last', 1],
    ['Very last', 0],
    ['First', 0],
    ['First', 0],
    ['First', 0],
    ['First', 1],
  ]);
  expect(linked('members_newsletters', 'id', 'JOS\u00c9@example.com')).toEqual([]);
  expect(warnings.toSorted()).toEqual([
    'If lines have the same address, the last one counts, without newsletters if any of them says so; lines skipped: 4 (line 5, line 6, line 453, line 458).',
    'Lines imported without a subscription, because another line of the address opts out, imported or not; lines: 4 (line 7, line 8, line 9, line 454).',
    'Skipped lines that may say that a reader left, and unsubscribed nobody: correct them and import again; lines: 1 (line 456).',
    'Skipped lines that say that the reader left: if the reader is a member here, the newsletters were ended all the same; lines: 2 (line 455, line 457).',
  ]);
});

const insertGift = (id: string, status: string, redeemer: string | null): void => {
  publication.insert('gifts', {
    ...{ id, redeemer_member_id: redeemer, tier_id: 'a000000000000000000000d3', status },
    ...{ cadence: 'year', duration: 1, currency: 'usd', amount: 5000 },
    consumes_at: '2027-01-01T00:00:00.000Z',
  });
};

test('nobody gets a paid tier for nothing, nor what belongs to another member', async () => {
  const gifts = ['1', '2', '3'].map((digit) => digit.repeat(24));
  insertGift(gifts[0] ?? '', 'redeemed', null);
  insertGift(gifts[1] ?? '', 'consumed', null);
  insertGift(gifts[2] ?? '', 'redeemed', String(member('mia@example.org')?.id));
  const { skipped } = await importText(
    [
      'email,complimentary_plan,stripe_customer_id,import_tier,gift_id',
      'a@example.com,,,Supporter,',
      'b@example.com,,auto,Supporter,',
      'c@example.com,,cus_a,Supporter,',
      'd@example.com,,cus_d,supporter,',
      'e@example.com,,cus_d,Supporter,',
      `f@example.com,,,,${gifts[0]}`,
      `g@example.com,,,,${gifts[0]}`,
      `h@example.com,,,,${gifts[1]}`,
      `i@example.com,,,,${gifts[2]}`,
      'j@example.com,,,,no-gift',
      `k@example.com,true,,,${gifts[0]}`,
      'l@example.com,true,,Unknown,',
      'n@example.com,true,,SUPPORTER,',
      'o@example.com,,-,Supporter,',
      'p@example.com,true,,"Supporter, Unknown",',
      'q@example.com,,#N/A,Supporter,',
      'r@example.com,,garbage,Supporter,',
    ].join('\n'),
  );
  expect(skipped.map(({ id, field, reason }) => `${id}: ${field} ${reason}`)).toEqual([
    'line 2: tiers names a tier without a complimentary plan, a customer or a gift (set complimentary_plan to true, or leave tiers empty), got "Supporter"',
    'line 3: tiers names a tier without a complimentary plan, a customer or a gift (set complimentary_plan to true, or leave tiers empty), got "Supporter"',
    'line 4: stripe_customer_id belongs to another member',
    'line 6: stripe_customer_id belongs to another member',
    `line 8: gift_id names the gift of another member, got "${gifts[0]}"`,
    `line 9: gift_id names no redeemed gift, got "${gifts[1]}"`,
    `line 10: gift_id names the gift of another member, got "${gifts[2]}"`,
    'line 11: gift_id names no redeemed gift, got "no-gift"',
    `line 12: gift_id stands beside a complimentary plan, got "${gifts[0]}"`,
    'line 13: tiers names a tier that does not exist, got "Unknown"',
    'line 15: tiers names a tier without a complimentary plan, a customer or a gift (set complimentary_plan to true, or leave tiers empty), got "Supporter"',
    'line 16: tiers names a tier that does not exist, got "Supporter, Unknown"',
    'line 17: tiers names a tier without a complimentary plan, a customer or a gift (set complimentary_plan to true, or leave tiers empty), got "Supporter"',
    'line 18: stripe_customer_id is no customer of Stripe, such as cus_ABC123',
  ]);
  expect(linked('customers', 'customer_id', 'mia@example.org')).toEqual(['cus_a']);
  const plans = ['d', 'f', 'n'].map((name) => {
    const email = `${name}@example.com`;
    return [member(email)?.status, ...linked('members_tiers', 'expiry_at', email)];
  });
  expect(plans).toEqual([
    ['paid', null],
    ['gift', '2027-01-01T00:00:00.000Z'],
    ['comped', null],
  ]);
  const redeemer = publication.shell.prepare('SELECT redeemer_member_id FROM gifts WHERE id = ?');
  expect(redeemer.pluck().get(gifts[0])).toBe(member('f@example.com')?.id);
});

test('a complimentary plan without a tier gives the cheapest one that is active', async () => {
  const facts = { type: 'paid', currency: 'usd', created_at: '2026-01-01' };
  for (const [name, monthly_price, active] of [
    ['Dear', 90_000, 1],
    ['Cheap', 1, 1],
    ['Archived', 0, 0],
    ['Yearly', null, 1],
  ] as const) {
    publication.insert('tiers', { ...facts, name, slug: name, monthly_price, active });
  }
  await importText('email,complimentary_plan\na@example.com,true\n');
  const tier = publication.shell.prepare('SELECT name FROM tiers WHERE id = ?').pluck();
  expect(linked('members_tiers', 'tier_id', 'a@example.com').map((id) => tier.get(id))).toEqual([
    'Cheap',
  ]);
  const both = 'email,complimentary_plan,tiers\nb@example.com,true,"Dear,Cheap"\n';
  const { warnings } = await importText(both);
  expect(warnings).toContainEqual(expect.stringMatching(/several tiers .*: 1 \(line 2\)\.$/));
  const held = linked('members_tiers', 'tier_id', 'b@example.com').map((id) => tier.get(id));
  expect(held).toEqual(['Dear']);
});

test.each([
  ['complimentary_plan', 'true', 'false,', 'free'],
  ['complimentary_plan', 'true', ',', 'free'],
  ['complimentary_plan,tiers', 'true,Supporter', 'true,Basic', 'comped'],
  ['stripe_customer_id,tiers', 'cus_1,Supporter', 'true,Supporter', 'comped'],
])(
  'a plan is lowered or changed by a file that replaces alone: %s %s, then %s',
  async (columns, had, cells, status) => {
    const basic = { type: 'paid', name: 'Basic', slug: 'basic', created_at: '2026-01-01' };
    publication.insert('tiers', basic);
    await importText(`email,${columns}\na@example.com,${had}`);
    const plan = () => [
      known('a@example.com')[0],
      linked('members_tiers', 'tier_id', 'a@example.com'),
    ];
    const held = plan();
    const file = join(temporaryFolder(), 'lower.csv');
    writeFileSync(file, `email,complimentary_plan,tiers\na@example.com,${cells}`);
    await importMembersCsv(publication.store, file);
    expect(plan()).toEqual(held);
    expect(await countLosses(publication.store, file)).toMatchObject({ lowered: 1 });
    await importMembersCsv(publication.store, file, { replaces: true });
    expect(plan()).not.toEqual(held);
    expect(plan()[0]).toBe(status);
  },
);

test('a member is not made in the future nor on a day that is none, and when one was made stays', async () => {
  const created = member('mia@example.org')?.created_at;
  const { skipped, warnings } = await importText(
    [
      'email,created_at',
      'mia@example.org,2020-01-01',
      'soon@example.com,2999-01-01T00:00:00Z',
      'never@example.com,2026-02-30',
    ].join('\n'),
  );
  expect(skipped).toMatchObject([{ id: 'line 4', field: 'created_at' }]);
  expect(warnings).toEqual([
    'Times of signup in the future were read as the time of the import; lines: 1 (line 3).',
  ]);
  expect(member('mia@example.org')?.created_at).toBe(created);
  expect(member('soon@example.com')?.created_at).toBe(new Date(later).toISOString());
});

test.each([';', '\t'])('fields may be separated by %j, and hold commas', async (delimiter) => {
  const lines = [
    ['Email', 'name', 'labels'],
    ['a@example.com', '"A; ""B""\n\tC"', 'One,Two'],
    ['b@example.com', 'B'],
  ];
  const text = `\ufeff${lines.map((line) => line.join(delimiter)).join('\r\n')}`;
  expect((await importText(text)).skipped).toMatchObject([{ id: 'line 4', field: 'line' }]);
  expect(member('a@example.com')?.name).toBe('A; "B"\n\tC');
  expect(linked('members_labels', 'label_id', 'a@example.com')).toHaveLength(2);
});

test('a line that cannot be read is named with its id, and ends nothing: the next line is read', async () => {
  const id = '9'.repeat(24);
  const { skipped } = await importText(
    [
      'id,email,name',
      `${id},short@example.com`,
      `${id},long@example.com,a,b`,
      `,"quoted address"@example.com,A`,
      `,"""quoted address""@example.com",B`,
      `${id},last@example.com,C`,
      `${id},same@example.com,D`,
    ].join('\n'),
  );
  expect(skipped.map((line) => `${line.id}: ${line.field} ${line.reason}`)).toEqual([
    `line 2 (${id}): line has 2 fields where the first line has 3`,
    `line 3 (${id}): line has 4 fields where the first line has 3`,
    'line 4: line holds a quotation mark that is not doubled',
    'line 5: email is not a valid e-mail address: it is too long, or the part before "@" has a character that it cannot have',
  ]);
  expect(member('last@example.com')?.id).toBe(id);
  expect(member('same@example.com')?.name).toBe('D');
});

test('what is no file of members fails the import, and leaves everything as it was', async () => {
  const stored = dump(publication.shell, 'with log');
  for (const [text, said] of [
    [`${HEADER}\n,x@example.com,,,,,,,,,,\n,"y@e.com,,`, 'line 3'],
    [
      'email,subscribed_to_emails,Subscribed\nx@example.com,false,\n',
      'two columns for "subscribed_to_emails"',
    ],
    ['name,note\nMia,\n', 'its first line does not name the column "email"'],
    ['', 'empty'],
  ] as const) {
    const message = expect.stringContaining(said);
    await expect(importText(text)).rejects.toMatchObject({ code: 'MEMBERS_CSV_INVALID', message });
  }
  await expect(importMembersCsv(publication.store, '/nowhere/m.csv')).rejects.toMatchObject({
    code: 'IMPORT_UNREADABLE',
  });
  expect(dump(publication.shell, 'with log')).toBe(stored);
});
