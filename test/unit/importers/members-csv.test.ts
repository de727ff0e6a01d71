// Ghost's members CSV: what it says of members is taken, by e-mail address; what it does not say stays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ImportReport } from '../../../src/importers/import-report.ts';
import { countLosses, importMembersCsv } from '../../../src/importers/members-csv.ts';
import { isMembersHeader } from '../../../src/importers/members-csv-file.ts';
import { createPublication, type Publication } from '../../helpers/publication.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
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

test('a member is found by address in any case, and keeps what the file does not have', async () => {
  const before = member('mia@example.org');
  const report = await importText(`email,note\nMIA@example.org,Hello\n`);
  expect(report.tables.members).toMatchObject({ added: 0, changed: 1 });
  expect(member('mia@example.org')).toMatchObject({
    id: before?.id,
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
  await importText('email,labels,note\nleft@example.com,Another,New\n');
  expect(known('left@example.com')).toEqual(['comped', 'Left', 'New', 2, 0, 1]);
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

test('words for yes and no are read, and other words refused', async () => {
  const words = ['TRUE', 'yes', '1', 'false', 'No', '0', 'off', 'FALSCH', 'FAUX'];
  const lines = words.map((word, at) => `m${at}@example.com,${word}`);
  const { skipped } = await importText(['email,subscribed_to_emails', ...lines].join('\n'));
  const numbers = words.map((_, at) => {
    const email = `m${at}@example.com`;
    return member(email) && linked('members_newsletters', 'newsletter_id', email).length;
  });
  expect(numbers).toEqual([1, 1, 1, 0, 0, 0, 0, undefined, undefined]);
  expect(skipped.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
    'line 9 is neither true nor false',
    'line 10 is neither true nor false',
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
          'four@example.com,,yesterday,,',
          `five@example.com,${'n'.repeat(192)},,,`,
          'six@example.com,,,2026-01-01,',
          'seven@example.com,,,,Unknown tier',
          ',,,,',
          '"no\naddress",,,,',
        ].join('\n'),
      ),
    );
    expect(report.skipped.map(({ id, field, reason }) => `${id}: ${field} ${reason}`)).toEqual([
      'line 4: email is not an e-mail address',
      'line 6: line has another number of fields than the first line, or a quotation mark that is not doubled',
      'line 7: line has another number of fields than the first line, or a quotation mark that is not doubled',
      'line 8: email stands in an earlier line, too',
      'line 9: created_at is not a time that can be read',
      'line 10: name is longer than 191 characters',
      'line 11: deleted_at says that the member was deleted',
      'line 12: tiers names a tier that does not exist',
      'line 13: email is missing',
      'line 14: email is not an e-mail address',
    ]);
    expect(report.tables.members).toMatchObject({ read: 11, added: 1, skipped: 10 });
  },
);

test('an address stands in an earlier line, too, however far apart the lines are', async () => {
  const lines = Array.from({ length: 450 }, (_, index) => `m${index}@example.com`);
  const report = await importText(['email', ...lines, 'M3@example.com'].join('\n'));
  expect(report.tables.members).toMatchObject({ added: 450, skipped: 1 });
});

test('the customer of another member stays where it is', async () => {
  const report = await importText(`${HEADER}\n,d@example.com,,,,,cus_a,,,,,\n`);
  expect(linked('customers', 'customer_id', 'mia@example.org')).toEqual(['cus_a']);
  expect(report.warnings.join()).toContain('line 2');
});

test('what is no file of members fails the import, and leaves everything as it was', async () => {
  const stored = dump(publication.shell, 'with log');
  for (const [text, said] of [
    [`${HEADER}\n,x@example.com,,,,,,,,,,\n,"y@e.com,,`, 'line 3'],
    [`email,name\na@example.com,"A"b\n`, 'line 2'],
    ['email;name\nmia@example.org;Mia\n', 'its columns are not separated by commas'],
    ['email\tname\nmia@example.org\tMia\n', 'its columns are not separated by commas'],
    ['name,note\nMia,\n', 'its first line does not name the column "email"'],
    ['', 'empty'],
  ] as const) {
    const message = expect.stringContaining(said);
    await expect(importText(text)).rejects.toMatchObject({ code: 'IMPORT_NOT_AN_EXPORT', message });
  }
  await expect(importMembersCsv(publication.store, '/nowhere/m.csv')).rejects.toMatchObject({
    code: 'IMPORT_UNREADABLE',
  });
  expect(dump(publication.shell, 'with log')).toBe(stored);
});
