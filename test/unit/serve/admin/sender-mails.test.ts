// The mail that verifies a sender address: what it says, how many there are, and that a save and its mail are
// one: neither is kept without the other.
import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import type { Mail } from '../../../../src/base/mail/mailer.ts';
import { createKey } from '../../../../src/serve/admin/keys/keys.ts';
import {
  createNewsletter,
  editNewsletter,
} from '../../../../src/serve/admin/newsletters/newsletters.ts';
import { verifySender } from '../../../../src/serve/admin/newsletters/verify-sender.ts';
import { createHarness } from './harness.ts';

const HOUR = 3_600_000;
const KEY = 'a'.repeat(24);
const REFUSED = new PrepressError('MAIL_FAILED', 'Refused.');

const setUp = async () => {
  const harness = await createHarness();
  const mails: Mail[] = [];
  const sending = { run: async (_mail: Mail): Promise<void> => {} };
  const context = {
    ...harness.context,
    publicUrl: () => 'https://admin.example',
    mailer: {
      send: async (mail: Mail) => {
        await sending.run(mail);
        mails.push(mail);
      },
      close: () => {},
    },
  };
  const create = async (name: string, sender_email?: string) =>
    createNewsletter(context, { name, ...(sender_email !== undefined && { sender_email }) }, KEY);
  const edit = (id: string, input: object, keyId = KEY) =>
    editNewsletter(context, { id, input }, keyId);
  const rows = (table: string) => harness.shell.prepare(`SELECT * FROM ${table}`).all();
  return { ...harness, context, mails, sending, create, edit, rows };
};

const tokenIn = ({ text }: Mail): string => /token=(\S+)/.exec(text)?.[1] ?? '';

const HOSTILE = [
  'evil.example/login',
  'http://evil.example',
  'https://evil.example/?a=b',
  'www.evil.example',
  'a\r\nBcc: all@evil.example\r\n\r\nhttp://evil.example',
  'a\u2028b\u2029c\u0085d\u000be',
  '\u202egpj.elpmaxe.live\u202c',
  'mailto:a@evil.example',
  'evil\u3002example',
  'x'.repeat(191),
];

test('the mail is the same whatever the newsletter is called, and has one link', async () => {
  const { create, mails, insert } = await setUp();
  insert('settings', { key: 'title', value: 'http://evil.example' });
  await create('Weekly', 'n@news.example');
  for (const [at, name] of HOSTILE.entries()) await create(name, `n${at}@news.example`);
  expect(mails).toHaveLength(HOSTILE.length + 1);
  const shown = mails.map(({ subject, text }) => [subject, text.replace(/token=\S+/, 'token=')]);
  expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
  const { text = '' } = mails[0] ?? {};
  expect(text.match(/\S+:\/\/\S+/g)).toEqual([
    `https://admin.example/newsletters/verify/?token=${tokenIn({ to: '', subject: '', text })}`,
  ]);
  expect(text).toContain('a newsletter of news.example');
});

test('at most twenty mails an hour are sent for one key, to whatever address', async () => {
  const { create, edit, mails, passTime, context, shell, rows } = await setUp();
  const { id } = await create('Weekly');
  const address = (at: number) => ({ sender_email: `n${at}@news.example`, sender_name: `S${at}` });
  const saved = await Promise.allSettled(
    Array.from({ length: 30 }, (_, at) => edit(id, address(at))),
  );
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  const reasons = saved.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_REQUESTS']));
  const before = rows('newsletters');
  await expect(edit(id, address(99))).rejects.toMatchObject({ property: 'sender_email' });
  await expect(create('New', 'n99@news.example')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  expect([mails.length, rows('newsletters')]).toEqual([20, before]);
  // What counts is in the database: another process counts on.
  expect(shell.prepare('SELECT count(*) FROM verification_mails').pluck().get()).toBe(20);
  const other = await createKey(context, { type: 'admin', name: 'Other' });
  await edit(id, address(100), other.id);
  passTime(HOUR + 1);
  await edit(id, address(101));
  expect(mails).toHaveLength(22);
  // As if they had been sent while the clock ran ahead.
  shell.exec('UPDATE verification_mails SET created_at = created_at * 2');
  for (let at = 0; at < 20; at += 1) await edit(id, address(200 + at));
  expect(mails).toHaveLength(42);
});

test('mails that are not taken count for nothing, store nothing and end no older link', async () => {
  const { create, edit, mails, sending, rows, context } = await setUp();
  const { id } = await create('Weekly', 'first@news.example');
  const before = [rows('newsletters'), rows('verification_tokens')];
  const { run } = sending;
  sending.run = async () => {
    throw REFUSED;
  };
  for (let tried = 0; tried < 25; tried += 1) {
    const change = { sender_email: `n${tried}@news.example`, name: 'Other', sender_name: 'Desk' };
    await expect(edit(id, change)).rejects.toBe(REFUSED);
    await expect(create('New', 'n@news.example')).rejects.toBe(REFUSED);
  }
  expect([rows('newsletters'), rows('verification_tokens')]).toEqual(before);
  sending.run = run;
  await edit(id, { sender_email: 'next@news.example' });
  const [first, next] = mails.map(tokenIn);
  expect(await verifySender(context, first ?? '')).toEqual({ outcome: 'ended' });
  // Twice at the same time, as a mail program's preview and its reader do.
  const [one, other] = await Promise.all(
    [next, next].map((token) => verifySender(context, token ?? '')),
  );
  expect([one?.outcome, other?.outcome].sort()).toEqual(['already', 'verified']);
});

test('while the mail is under way nothing is stored, and others may write', async () => {
  const { create, edit, sending, rows, context } = await setUp();
  const { id } = await create('Weekly');
  const before = rows('newsletters');
  const seen: unknown[] = [];
  sending.run = async (mail) => {
    sending.run = async () => {};
    seen.push(rows('newsletters'), await verifySender(context, tokenIn(mail)));
    await create('Meanwhile');
  };
  await edit(id, { sender_email: 'a@news.example', sender_name: 'Desk' });
  expect(seen).toEqual([before, { outcome: 'unknown' }]);
  expect(rows('newsletters')).toMatchObject([{ sender_name: 'Desk' }, { name: 'Meanwhile' }]);
});

test('a name that was taken while the mail was under way is refused, and its link opens nothing', async () => {
  const { create, edit, mails, sending, rows, context } = await setUp();
  const { id } = await create('Weekly');
  sending.run = async () => {
    sending.run = async () => {};
    await create('Wanted');
  };
  const change = { name: 'Wanted', sender_email: 'a@news.example', sender_name: 'Desk' };
  await expect(edit(id, change)).rejects.toMatchObject({ code: 'VALIDATION', property: 'name' });
  expect(rows('newsletters')).toMatchObject([{ name: 'Weekly', sender_name: null }, {}]);
  expect(await verifySender(context, tokenIn(mails[0] as Mail))).toEqual({ outcome: 'unknown' });
});
