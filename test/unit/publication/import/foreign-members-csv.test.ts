// Files of other newsletter programs, with their own columns: who left there is not subscribed here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importMembersCsv } from '../../../helpers/import-members.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const FILES = {
  Mailchimp: [
    '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,NOTES,TAGS',
    'stays@x.example,Ada,Lovelace,2,,"2024-01-01 10:00:00",,"likes ""math""","""vip"",""early bird"""',
    'left@x.example,Eve,,2,,"2024-01-01 10:00:00","2024-05-01 10:00:00",,',
  ],
  Substack: [
    'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at',
    'stays@x.example,false,,other,false,2024-01-01T10:00:00.000Z,',
    'left@x.example,true,2026-12-01T00:00:00.000Z,yearly,true,2024-01-01T10:00:00.000Z,',
  ],
  Buttondown: [
    'id,email_address,creation_date,notes,metadata,tags,type,source,unsubscription_date',
    '1f,stays@x.example,2024-01-01T10:00:00Z,,{},"vip, early bird",regular,embed,',
    '2f,left@x.example,2024-01-01T10:00:00Z,,{},,unsubscribed,embed,2024-05-01T10:00:00Z',
  ],
  beehiiv: [
    'subscription_id,email,status,created_at,subscription_tier,utm_source,referral_code',
    'sub_1,stays@x.example,active,2024-01-01 10:00:00,free,,x',
    'sub_2,left@x.example,inactive,2024-01-01 10:00:00,free,,y',
  ],
  'Mailchimp, cleaned': [
    'Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE',
    'stays@x.example,,2024-01-01 10:00:00,2024-01-01 10:00:00,,',
    'left@x.example,,2024-01-01 10:00:00,2024-01-01 10:00:00,2024-05-01 10:00:00,News',
  ],
  Kit: [
    'id,first_name,last_name,email,state,created_at',
    '1,Ada,Lovelace,stays@x.example,active,2024-01-01 10:00:00 UTC',
    '2,,,left@x.example,cancelled,2024-01-01 10:00:00 UTC',
  ],
  'Kit, in capitals': [
    'id,first_name,email,state,created_at',
    '1,,stays@x.example,active,2024-01-01 10:00:00 UTC',
    '2,,left@x.example,COMPLAINED,2024-01-01 10:00:00 UTC',
  ],
  'Substack, of readers': [
    'Email,Name,Type,Start date,Unsubscribed at',
    'stays@x.example,,Free,"January 1, 2024 10:00",',
    'left@x.example,,Free,2024-01-01T10:00:00Z,2024-05-01T10:00:00Z',
  ],
  'beehiiv, of columns in words': [
    'Email,Status,Created At',
    'stays@x.example,active,2024-01-01 10:00:00',
    'left@x.example,Inactive,2024-01-01 10:00:00',
  ],
  Brevo: [
    'sep=;',
    'EMAIL;FIRSTNAME;LASTNAME;ADDED_TIME;EMAIL_BLACKLISTED;OPT_IN',
    'stays@x.example;Ada;Lovelace;2024-01-01 10:00:00;0;1',
    'left@x.example;;;2024-01-01 10:00:00;1;1',
  ],
  MailerLite: [
    'email,bounced,optout,confirm_time,creation_date',
    'stays@x.example,no,,31/12/2023,2024-01-01 10:00:00',
    'left@x.example,yes,,-,2024-01-01 10:00:00',
  ],
  'MailerLite, of names in two': [
    'Subscriber,Name,Last name,Subscribed',
    'stays@x.example,Ada,Lovelace,2024-01-01 10:00:00',
    'left@x.example,,Gone,',
  ],
  'a database': [
    'email,opt_in,bounced,unsubscribed_at,created_at',
    'stays@x.example,t,f,0000-00-00 00:00:00,2024-01-01 10:00:00',
    'left@x.example,f,f,,2024-01-01 10:00:00',
  ],
  'a shop': [
    'email,Email Marketing Consent,created_at',
    'stays@x.example,SUBSCRIBED,2024-01-01 10:00:00',
    'left@x.example,UNSUBSCRIBED,2024-01-01 10:00:00',
  ],
  'Buttondown, undeliverable': [
    'email,type,creation_date,undeliverability_date,undeliverability_reason',
    'stays@x.example,regular,2024-01-01T10:00:00Z,,',
    'left@x.example,regular,2024-01-01T10:00:00Z,2022-03-03T00:00:00Z,bounce',
  ],
  AWeber: [
    'Email,Name,Signup Date,IP Address,Ad Tracking,Add Method,Status,Stop Time,Stop Status,Verified,Tags',
    'stays@x.example,Ada,2024-01-01 10:00:00,192.0.2.1,blog,web form,Subscribed,,,Yes,vip',
    'left@x.example,Eve,2024-01-01 10:00:00,,,,Subscribed,2024-05-01,Unsubscribed by subscriber,Yes,',
    'never@x.example,,2024-01-01 10:00:00,,,,Unconfirmed,,,No,',
  ],
  Drip: [
    'email,status,first_name,state,eu_consent,eu_consent_message,created_at',
    'stays@x.example,active,Ada,BW,unknown,,2024-01-01T10:00:00Z',
    'left@x.example,active,Eve,,denied,I agree,2024-01-01T10:00:00Z',
    'never@x.example,undeliverable,,,granted,,2024-01-01T10:00:00Z',
  ],
  CleverReach: [
    'E-Mail-Adresse;Registriert;Aktiviert;Deaktiviert;Bounced;Vorname;Nachname',
    'stays@x.example;01.01.2024 10:00;01.01.2024 10:05;;;Ada;Lovelace',
    'left@x.example;01.01.2024 10:00;01.01.2024 10:05;2.5.2024;;;',
    'never@x.example;01.01.2024 10:00;;;;;',
  ],
  'CleverReach, in English': [
    'email;registered;activated;deactivated;bounced',
    'stays@x.example;1704103200;1704103201;0;0',
    'left@x.example;1704103200;1704103201;1704103209;0',
    'never@x.example;1704103200;0;0;0',
  ],
  rapidmail: [
    'E-Mail;Vorname;Status;Erstellt am;Aktiviert am;Abgemeldet am;Gebounct am',
    'stays@x.example;Ada;Aktiv;2024-01-01 10:00:00;2024-01-01 10:05:00;;',
    'left@x.example;;Unerwünscht;2024-01-01 10:00:00;2024-01-01 10:05:00;;',
    'never@x.example;;Unbestätigt;2024-01-01 10:00:00;;;',
  ],
  Mailjet: [
    'Email,firstname,name,CreatedAt,IsExcludedFromCampaigns,IsOptInPending,IsUnsubscribed,UnsubscribedBy',
    'stays@x.example,Ada,Lovelace,2024-01-01T10:00:00Z,false,false,false,',
    'left@x.example,,,2024-01-01T10:00:00Z,true,false,false,',
    'never@x.example,,,2024-01-01T10:00:00Z,false,true,false,',
  ],
  'WordPress.com': [
    'Subscriber name,Email address,Subscription type,Email subscription,Since,Subscription plan',
    'stays@x.example,stays@x.example,Free,Subscribed,2024-01-01T10:00:00Z,',
    'left@x.example,left@x.example,Paid,Not sending,2024-01-01T10:00:00Z,',
    'never@x.example,never@x.example,Free,Not confirmed,2024-01-01T10:00:00Z,',
  ],
  'Ghost, in words': [
    'email,Subscribed to emails,created_at',
    'stays@x.example,true,2024-01-01T10:00:00.000Z',
    'left@x.example,false,2024-01-01T10:00:00.000Z',
  ],
};

const SAID = /^Lines imported without a subscription[^:]*: /;

test('the files of other programs bring who reads, and who left', async () => {
  const shown: Record<string, unknown> = {};
  const said: Record<string, string> = {};
  for (const [program, lines] of Object.entries(FILES)) {
    const { store, shell, insert } = await createPublication();
    insert('newsletters', {
      uuid: 'n',
      name: 'N',
      slug: 'n',
      created_at: '2024-01-01T00:00:00.000Z',
    });
    const file = join(temporaryFolder(), 'members.csv');
    writeFileSync(file, lines.join('\n'));
    const { warnings } = await importMembersCsv(store, file);
    said[program] = warnings
      .filter((one) => SAID.test(one))
      .join(' ')
      .replace(SAID, '');
    shown[program] = shell
      .prepare(
        `SELECT email || ' ' || (SELECT count(*) FROM members_newsletters WHERE member_id = members.id)
          || ' ' || coalesce(name, '-') || ' ' || coalesce(note, '-') || ' ' || coalesce((
          SELECT group_concat(labels.name) FROM members_labels JOIN labels ON labels.id = label_id
          WHERE member_id = members.id), '-') || ' ' || substr(created_at, 1, 16)
          FROM members ORDER BY email DESC`,
      )
      .pluck()
      .all();
  }
  const [left, stays] = ['left@x.example 0', 'stays@x.example 1'];
  const at = '2024-01-01T10:00';
  const never = 'never@x.example 0';
  const none = [`${never} - - - ${at}`, `${left} - - - ${at}`];
  const neither = [`${stays} - - - ${at}`, `${left} - - - ${at}`];
  expect(shown).toEqual({
    Mailchimp: [`${stays} Ada Lovelace likes "math" vip,early bird ${at}`, `${left} Eve - - ${at}`],
    Substack: neither,
    Buttondown: [`${stays} - - vip,early bird ${at}`, `${left} - - - ${at}`],
    beehiiv: neither,
    'Mailchimp, cleaned': neither,
    Kit: [`${stays} Ada Lovelace - - ${at}`, `${left} - - - ${at}`],
    'Kit, in capitals': neither,
    'Substack, of readers': neither,
    'beehiiv, of columns in words': neither,
    Brevo: [`${stays} Ada Lovelace - - ${at}`, `${left} - - - ${at}`],
    MailerLite: neither,
    'MailerLite, of names in two': [
      `${stays} Ada Lovelace - - ${at}`,
      expect.stringContaining(`${left} Gone`),
    ],
    'a database': neither,
    'a shop': neither,
    'Buttondown, undeliverable': neither,
    AWeber: [`${stays} Ada - vip ${at}`, `${never} - - - ${at}`, `${left} Eve - - ${at}`],
    Drip: [`${stays} Ada - - ${at}`, `${never} - - - ${at}`, `${left} Eve - - ${at}`],
    CleverReach: [`${stays} Ada Lovelace - - ${at}`, ...none],
    'CleverReach, in English': [neither[0], ...none],
    rapidmail: [`${stays} Ada - - ${at}`, ...none],
    Mailjet: [`${stays} Ada Lovelace - - ${at}`, ...none],
    'WordPress.com': [
      ...['stays@x.example 1', 'never@x.example 0', 'left@x.example 0'].map(
        (one) => `${one} ${one.split(' ')[0]} - - ${at}`,
      ),
    ],
    'Ghost, in words': neither,
  });
  expect(said).toEqual({
    Mailchimp: '1 (UNSUB_TIME).',
    Substack: '1 (email_disabled).',
    Buttondown: '1 (type).',
    beehiiv: '1 (status).',
    'Mailchimp, cleaned': '1 (CLEAN_TIME).',
    Kit: '1 (state).',
    'Kit, in capitals': '1 (state).',
    'Substack, of readers': '1 (Unsubscribed at).',
    'beehiiv, of columns in words': '1 (Status).',
    Brevo: '1 (EMAIL_BLACKLISTED).',
    MailerLite: '1 (bounced).',
    'MailerLite, of names in two': '1 (Subscribed).',
    'a database': '1 (opt_in).',
    'a shop': '1 (Email Marketing Consent).',
    'Buttondown, undeliverable': '1 (undeliverability_date).',
    AWeber: '2 (Stop Time, Status).',
    Drip: '2 (eu_consent, status).',
    CleverReach: '2 (Deaktiviert, Aktiviert).',
    'CleverReach, in English': '2 (deactivated, activated).',
    rapidmail: '2 (Status).',
    Mailjet: '2 (IsExcludedFromCampaigns, IsOptInPending).',
    'WordPress.com': '2 (Email subscription).',
    'Ghost, in words': '',
  });
});

const importText = async (
  text: string | Buffer,
  mapping?: Record<string, string>,
  name = 'members.csv',
) => {
  const { store, shell, insert } = await createPublication();
  insert('newsletters', { uuid: 'n', name: 'N', slug: 'n', created_at: '2024-01-01' });
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  const report = await importMembersCsv(store, file, { mapping }).catch((error: unknown) => error);
  const select = `SELECT m.email FROM members m JOIN members_newsletters ON member_id = m.id ORDER BY 1`;
  return { report, subscribed: shell.prepare(select).pluck().all() };
};

test('a word of a status that is not understood refuses its line, and keeps other lines of the address out', async () => {
  const text = 'email,status\na@t.io,active\nb@t.io,subscribing\nB@t.io,active\nc@t.io,vip\n';
  const { report, subscribed } = await importText(text);
  expect(subscribed).toEqual(['a@t.io']);
  expect(report).toMatchObject({
    skipped: [
      { id: 'line 3', field: 'status', reason: expect.stringContaining('map the column') },
      { id: 'line 5', field: 'status' },
    ],
  });
});

test('a column that may speak of consent refuses the file until it is mapped or ignored; unused ones are named', async () => {
  const text = 'email,City,Subscription,Wrote back\na@t.io,Ulm,yes,x\nb@t.io,Ulm,no,x\n';
  expect(await importText(text)).toMatchObject({
    report: { code: 'COLUMNS_UNCLEAR', message: expect.stringContaining('"Subscription"') },
    subscribed: [],
  });
  for (const [meaning, subscribed, unused] of [
    ['subscribed_to_emails', ['a@t.io'], 'City, Wrote back'],
    ['unsubscribed', ['b@t.io'], 'City, Wrote back'],
    ['status', ['a@t.io'], 'City, Wrote back'],
    ['ignore', ['a@t.io', 'b@t.io'], 'City, Subscription, Wrote back'],
  ] as const) {
    const warning = `Columns read only for words such as "unsubscribed": ${unused}.`;
    expect(await importText(text, { Subscription: meaning })).toMatchObject({
      report: { warnings: expect.arrayContaining([warning]) },
      subscribed,
    });
  }
  expect((await importText(text, { Subscription: 'subscribe' })).report).toMatchObject({
    code: 'COLUMNS_UNCLEAR',
  });
  const mistyped = { Subscription: 'ignore', 'wrote back': 'unsubscribed' };
  expect((await importText(text, mistyped)).report).toMatchObject({
    code: 'COLUMNS_UNCLEAR',
    message: expect.stringContaining('no column "wrote back"'),
  });
});

test.each([
  ['postal addresses', 'email,city,state,Mailing Address', 'a@t.io,Reno,Nevada,Oak St 1'],
  ['states alone', 'email,state', 'a@t.io,NV'],
  ['Substack', 'Email,Type,Cancel date,Subscriptions gifted', 'a@t.io,Monthly subscriber,,0'],
  ['Buttondown', 'email_address,type,churn_date,gift_subscription_message', 'a@t.io,past_due,,'],
  ['beehiiv', 'email,status,orig_subscribed_at', 'a@t.io,active,2024-01-01 10:00:00'],
  ['Kit', 'email,status,Confirmed at', 'a@t.io,active,2024-01-01 10:00:00 UTC'],
  ['Patreon', 'Email,Patron Status', 'a@t.io,Declined patron'],
  ['Patreon, of a free member', 'Email,Patron Status,Free Member', 'a@t.io,Former patron,Yes'],
  ['Patreon, of who pays alone', 'Email,Patron Status,Follows You', 'a@t.io,Active patron,No'],
  ['Buttondown, of an import', 'email,type,subscriber_import_id', 'a@t.io,regular,7'],
  ['Omnisend', 'Email,Email Status,Email Status Date', 'a@t.io,subscribed,2024-01-01'],
  ['TinyLetter', 'EMAIL,SUBSCRIBE DATE', 'a@t.io,"January 1, 2024 10:00"'],
  ['Loops', 'email,subscribed,optInStatus', 'a@t.io,true,accepted'],
  ['listmonk', 'email,status,created_at', 'a@t.io,enabled,2024-01-01 10:00:00.123456+00'],
  ['Substack, of who paid', 'Email,Type,Cancel date,Paid upgrade date', 'a@t.io,Free,2024-02-02,'],
  ['Substack, of who pays', 'Email,Type,Paid subscription date', 'a@t.io,Free,'],
  ['Mailchimp', 'Email Address,Marketing Permissions', 'a@t.io,"Email, Direct Mail"'],
  ['a German table', 'email;subscribed_to_emails;bounced;status', 'a@t.io;WAHR;FALSCH;aktiv'],
  ['a day first', 'Subscriber,Subscribed', 'a@t.io,31/12/2023'],
  ['MailerLite', 'Subscriber,Opens,Subscribed', 'a@t.io,3,2024-01-01 10:00:00'],
  ['MailerLite, by time', 'Email,Opted in,Status', 'a@t.io,2024-01-01 10:00:00,Active'],
  ['HubSpot', 'Email,Lead Status,Marketing contact status', 'a@t.io,Unqualified,Marketing contact'],
  ['Stripe', 'id,Email,Card CVC Status,Card AVS Zip Status', 'cus_1,a@t.io,fail,fail'],
  ['Klaviyo', 'Email,Email Marketing Consent,Email Suppressions', 'a@t.io,SUBSCRIBED,[]'],
  ['Squarespace', 'Email Address,Mailing Lists,Accepts Marketing', 'a@t.io,News,TRUE'],
  ['Wix', 'Email 1,Email subscriber status', 'a@t.io,Subscribed'],
  ['rows below a table', 'email;name;;', 'a@t.io;Ann;;\n;;;\n;;;'],
  ['Gumroad', 'Subscriber Email,Follower', 'a@t.io,true'],
  ['states in full', 'email,state', 'a@t.io,California'],
  ['a table in German', 'E-Mail;Vorname;Newsletter', 'a@t.io;Jürgen;ja'],
  ['a table in French', 'Adresse e-mail;Prénom;Nom;Newsletter', 'a@t.io;Zoé;Roy;oui'],
  ['MailerLite, by status', 'Email,Status,Opt-in date,Opt-in IP', 'a@t.io,Active,,'],
])('an ordinary file (%s) subscribes who reads, without a question', async (_, header, line) => {
  const { report, subscribed } = await importText(`${header}\n${line}\n`);
  expect(report).toMatchObject({ skipped: [] });
  expect(subscribed).toEqual(['a@t.io']);
});

test.each<{ text: string; by: string; mapping?: Record<string, string>; stay?: boolean }>([
  { text: 'Email Address,OPTIN_TIME,CONFIRM_TIME\na@t.io,,2024-01-01\nb@t.io,,', by: 'OPTIN_TIME' },
  { text: 'email,CONFIRM_TIME\na@t.io,2024-01-01 10:00:00\nb@t.io,', by: 'CONFIRM_TIME' },
  { text: 'email,confirmed_at,bounced\na@t.io,2024-01-01,\nb@t.io,-,', by: 'confirmed_at' },
  { text: 'email,status\na@t.io,active\nb@t.io,', by: 'status' },
  { text: 'email,opt_in,city\na@t.io,yes,Ulm\nb@t.io,,Ulm', by: 'opt_in' },
  { text: 'email,status\na@t.io,active\nb@t.io,needs_attention', by: 'status' },
  ...['left', 'needs_attention', 'unsubscribed', ''].map((word) => ({
    text: `email,status\na@t.io,active\nb@t.io,${word}`,
    by: 'status',
    mapping: { status: 'ignore' },
  })),
  {
    text: 'email,UNSUB_TIME,CONFIRM_TIME\na@t.io,,2024-01-01\nb@t.io,2024-02-02,2024-01-01',
    by: 'UNSUB_TIME',
    mapping: { UNSUB_TIME: 'ignore' },
  },
  {
    text: 'email,status\na@t.io,active\nb@t.io,bounced',
    by: 'status',
    mapping: { status: 'note' },
  },
  { text: 'email,State,CONFIRM_TIME\na@t.io,NV,2024-01-01\nb@t.io,NV,', by: 'CONFIRM_TIME' },
  { text: 'email,status,bounce_status\na@t.io,active,\nb@t.io,,valid', by: 'status' },
  {
    text: 'email,subscribed_at,confirmed_at\na@t.io,2024-01-01,2024-01-01\nb@t.io,2024-01-01,',
    by: 'confirmed_at',
  },
  {
    text: 'email,registered,activated\na@t.io,2024-01-01,2024-01-01\nb@t.io,2024-01-01,0',
    by: 'activated',
  },
  {
    text: 'Email,Patron Status,Follows You\na@t.io,Former patron,Yes\nb@t.io,Former patron,No',
    by: 'Patron Status',
  },
  {
    text: 'Email,Patron Status,Newsletter\na@t.io,Active patron,yes\nb@t.io,Active patron,',
    by: 'Newsletter',
  },
  {
    text: 'Email,Patron Status,Follows You,Free Member\na@t.io,Declined patron,No,No\nb@t.io,,No,No',
    by: 'Follows You',
  },
  ...['CONFIRM_TIME', 'Confirmed'].map((name) => ({
    text: `email,OPTIN_TIME,${name}\na@t.io,2024-01-01,2024-01-01\nb@t.io,2024-01-01,`,
    by: name,
  })),
  {
    text: 'email,Subscribed,Confirmed\na@t.io,2024-01-01,2024-01-01\nb@t.io,2024-01-01,',
    by: 'Confirmed',
  },
  {
    text: 'email,Status,Consent to Send\na@t.io,Active,Unchanged\nb@t.io,Active,No',
    by: 'Consent to Send',
  },
  ...['Unconfirmed', 'removed', 'Unsubscribed (2023)'].map((word) => ({
    text: `email,Tags\na@t.io,vip\nb@t.io,${word}`,
    by: 'Tags',
  })),
  { text: 'email,Status\na@t.io,Implicit\nb@t.io,No permissions set', by: 'Status' },
  { text: 'email,bounce_status\na@t.io,no\nb@t.io,yes', by: 'bounce_status' },
  ...['01.01.2024 10:05', 'ja'].map((cell) => ({
    text: `email;Aktiviert\na@t.io;${cell}\nb@t.io;`,
    by: 'Aktiviert',
    mapping: { Aktiviert: 'subscribed_to_emails' },
  })),
  { text: 'email,Status\na@t.io,ja\nb@t.io,nein', by: 'Status' },
  { text: 'email,Lists\na@t.io,News\nb@t.io,Bounced', by: 'Lists' },
  { text: 'email,Group\na@t.io,News\nb@t.io,Opted out', by: 'Group' },
  { text: 'email,Tags\na@t.io,vip\nb@t.io,"vip, Unsubscribed"', by: 'Tags' },
  { text: 'email,Tags\na@t.io,vip\nb@t.io,Abgemeldet', by: 'Tags' },
])('who did not agree is not subscribed, and the column is named: $text', async (row) => {
  const { report, subscribed } = await importText(row.text, row.mapping);
  expect(subscribed).toEqual(['a@t.io']);
  expect(report).toMatchObject({
    skipped: [],
    warnings: expect.arrayContaining([
      expect.stringMatching(
        new RegExp(`^Lines imported without a subscription.*: 1 \\(${row.by}\\)`),
      ),
    ]),
  });
});

test.each<[string, Record<string, string>?]>([
  ['email,subscribed_to_emails,status\na@t.io,true,bounced', { status: 'ignore' }],
  ['email,subscribed_to_emails,labels\na@t.io,true,unsubscribed'],
  ['email,newsletter,status\na@t.io,yes,vip', { status: 'ignore' }],
  ['email,type\na@t.io,customer', { type: 'ignore' }],
  ['email,status,bounce_status\na@t.io,active,'],
  ['email,state,confirmed_at\na@t.io,active,'],
  ['email,Newsletter,confirmed_at\na@t.io,Weekly,2020-03-04', { Newsletter: 'ignore' }],
  ['email,subscribed_to_emails\na@t.io,'],
])('who is subscribed by another column, or asked of by none, is: %j', async (text, mapping) => {
  expect((await importText(text, mapping)).subscribed).toEqual(['a@t.io']);
});

test.each([
  'email,city,state\na@t.io,Reno,cancelled\nb@t.io,Reno,Nevada\n',
  'email,Address City,Address State\na@t.io,Reno,cancelled\nb@t.io,Reno,NV\n',
  'email,State - home,City - home\na@t.io,cancelled,Reno\nb@t.io,Bayern,Hof\n',
  'email,State,OPTIN_TIME\na@t.io,on hold,2024-01-01\nb@t.io,NV,2024-01-01\n',
  'email,Stato,Data iscrizione\na@t.io,Da confermare,2024-01-01\nb@t.io,Attivo,2024-01-01\n',
])('a state may be a place and may say who left: %j', async (text) => {
  expect((await importText(text)).subscribed).toEqual(['b@t.io']);
});

test.each(['Signup date', 'created_at'])(
  'unread times are named and left out: %s',
  async (name) => {
    const times = ['31/12/2023', '2023-12-31', '4-May-23', '-', '01-02-2023', 'Jun-24'];
    const text = [`email,${name}`, ...times.map((time, at) => `${at}@t.io,${time}`)].join('\n');
    expect((await importText(text)).report).toMatchObject({
      tables: { members: { added: 6 } },
      warnings: [expect.stringMatching(new RegExp(`^Times of signup .*: 3 \\(${name}\\)`))],
    });
  },
);

test.each(['utf16le', 'utf16be'])("Excel's text in Unicode is read: %s", async (order) => {
  const bytes = Buffer.from('\ufeffE-Mail\tNewsletter\na@t.io\tja\nb@t.io\tnein\n', 'utf16le');
  const { report, subscribed } = await importText(order === 'utf16be' ? bytes.swap16() : bytes);
  expect(report).toMatchObject({ skipped: [], tables: { members: { added: 2 } } });
  expect(subscribed).toEqual(['a@t.io']);
});

test.each([
  ['subscribed_members_export_1f.csv', ['a@t.io']],
  ['nonsubscribed_email_audience_export_1f.csv', []],
  ['cleaned_members_export_1f.csv', []],
])("Mailchimp's file %s subscribes %j", async (name, readers) => {
  const text = 'Email Address,OPTIN_TIME,CONFIRM_TIME\na@t.io,,2024-01-01 10:00:00\n';
  const { report, subscribed } = await importText(text, undefined, name);
  expect(subscribed).toEqual(readers);
  const said = JSON.stringify(report).includes('1 (the name of the file)');
  expect(said).toBe(readers.length === 0);
});

test.each([
  ['unsubscribes.csv', 'email,created\na@t.io,1700000000', []],
  ['suppression_bounces.csv', 'email,confirmed_at\na@t.io,2024-01-01', []],
  ['Abmeldungen 2024.csv', 'E-Mail;Name\na@t.io;Ann', []],
  ['bounces-and-complaints.csv', 'email,name\na@t.io,Ann', []],
  ['all_unsubscribes.csv', 'email\na@t.io', []],
  ['cancelled-subscribers.csv', 'email\na@t.io', []],
  ['blocklist.csv', 'email\na@t.io', []],
  ['removed.csv', 'email\na@t.io', []],
  ['duplicates-removed.csv', 'email\na@t.io', ['a@t.io']],
  ['bouncy-castle-news.csv', 'email\na@t.io', ['a@t.io']],
  ['subscribers-and-bounces.csv', 'email\na@t.io', ['a@t.io']],
  ['bounced.csv', 'Contact Email,status\na@t.io,active', ['a@t.io']],
  ['without-bounces.csv', 'email\na@t.io', ['a@t.io']],
])('of a file %s of who left no column need say so', async (name, text, readers) => {
  expect((await importText(text, undefined, name)).subscribed).toEqual(readers);
});

test('a publication without a newsletter says that nobody was subscribed', async () => {
  const { store } = await createPublication();
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, 'email\na@t.io\n');
  const { warnings } = await importMembersCsv(store, file);
  expect(warnings).toEqual([expect.stringContaining('nobody new was subscribed')]);
});

test('a time with the name of a zone is in that zone', async () => {
  const { store, shell } = await createPublication();
  const file = join(temporaryFolder(), 'members.csv');
  writeFileSync(file, 'email,Created At\na@t.io,2022-01-01 10:00:00 EST\n');
  await importMembersCsv(store, file);
  const times = shell.prepare('SELECT created_at FROM members').pluck().all();
  expect(times).toEqual(['2022-01-01T15:00:00.000Z']);
});

test.each(['ignore', 'note'])('a column that is mapped to %s must be there', async (meaning) => {
  const { report } = await importText('email\na@t.io\n', { Nope: meaning });
  expect(report).toMatchObject({ message: expect.stringContaining('no column "Nope"') });
});
