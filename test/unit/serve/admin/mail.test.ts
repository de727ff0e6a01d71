// Nothing here mails a post: whatever asks for it is refused with one sentence and stores nothing; what only
// repeats what an import found is no change.
import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { createPost, editPost } from '../../../../src/serve/admin/posts/posts.ts';
import { readPost } from '../../../../src/serve/admin/posts/read-post.ts';
import type { MailParameters } from '../../../../src/serve/admin/posts/reject-newsletter-send.ts';
import { parseInput } from '../../../../src/serve/contract/input/parse-input.ts';
import { postCreateInput, postEditInput } from '../../../../src/serve/contract/input/post-input.ts';
import { createHarness, type Harness, START } from './harness.ts';

type Json = Record<string, unknown>;
const LATER = new Date(START + 9_000_000).toISOString();
const EARLIER = new Date(START - 9_000_000).toISOString();

/** The property that is refused, or null. */
const refusalOf = async (save: Promise<unknown>): Promise<unknown> => {
  try {
    await save;
    return null;
  } catch (error) {
    if (!(error instanceof PrepressError) || error.code !== 'VALIDATION') throw error;
    expect(error.message).toContain('sends no newsletters');
    return error.property;
  }
};

const create = ({ context }: Harness, post: Json, mail: MailParameters = {}) =>
  refusalOf(
    createPost(
      context,
      { type: 'post', input: parseInput(postCreateInput, { title: 'T', ...post }) },
      { sourceHtml: true, mail },
    ),
  );

const edit = ({ context }: Harness, id: string, post: Json, mail: MailParameters = {}) =>
  refusalOf(
    editPost(
      context,
      { type: 'post', id, input: parseInput(postEditInput, { updated_at: null, ...post }) },
      { sourceHtml: true, mail },
    ),
  );

/** A post as an import finds one that was mailed to members with the newsletter `weekly`. */
const mailedPost = async (row: Json = {}) => {
  const harness = await createHarness();
  const newsletter_id = harness.insert('newsletters', {
    uuid: crypto.randomUUID(),
    name: 'Weekly',
    slug: 'weekly',
    created_at: EARLIER,
  });
  const post = { newsletter_id, email_recipient_filter: 'status:-free', published_at: EARLIER };
  const id = harness.insert('posts', { status: 'published', ...post, ...row });
  return { harness, id, newsletter_id };
};

const ASKING: readonly [Json, MailParameters, string][] = [
  [{}, { newsletter: 'weekly' }, 'newsletter'],
  [{}, { newsletter: 'weekly', email_segment: 'all' }, 'newsletter'],
  [{}, { newsletter_id: 'f'.repeat(24) }, 'newsletter_id'],
  [{}, { email_segment: 'status:free' }, 'email_segment'],
  [{}, { email_recipient_filter: 'paid' }, 'email_recipient_filter'],
  [{}, { email_type: 'post' }, 'email_type'],
  [{}, { send_email_when_published: true }, 'send_email_when_published'],
  [{ email_only: true }, {}, 'email_only'],
  [{ email_only: 1 }, {}, 'email_only'],
  [{ newsletter: 'weekly' }, {}, 'newsletter'],
  [{ newsletter: { id: 'f'.repeat(24) } }, {}, 'newsletter'],
  [{ newsletter: { slug: 'weekly' } }, {}, 'newsletter'],
  [{ newsletter_id: 'f'.repeat(24) }, {}, 'newsletter_id'],
];

test.each(ASKING)('refused, and nothing stored: %j %j', async (post, mail, property) => {
  const harness = await createHarness();
  for (const status of ['draft', 'published', 'scheduled', 'sent']) {
    const payload = { ...post, status, published_at: status === 'scheduled' ? LATER : null };
    expect(await create(harness, payload, mail)).toBe(property);
  }
  expect(harness.shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(0);
  const id = harness.insert('posts', { title: 'Stored' });
  expect(await edit(harness, id, { ...post, title: 'New', status: 'published' }, mail)).toBe(
    property,
  );
  expect(await readPost(harness.context, { type: 'post', id })).toMatchObject({
    title: 'Stored',
    status: 'draft',
  });
});

test('what asks for no mail is saved', async () => {
  const harness = await createHarness();
  const nothing: [Json, MailParameters][] = [
    [{ email_only: false, newsletter: null, newsletter_id: null }, {}],
    [{ newsletter: {} }, { email_recipient_filter: 'none', send_email_when_published: false }],
  ];
  for (const [post, mail] of nothing) expect(await create(harness, post, mail)).toBe(null);
});

test('values equal to the stored ones are no change', async () => {
  const { harness, id, newsletter_id } = await mailedPost();
  const changes = () => harness.shell.prepare('SELECT count(*) FROM changes').pluck().get();
  const before = changes();
  const same: [Json, MailParameters][] = [
    [{}, { newsletter: 'weekly', email_segment: 'status:-free' }],
    [{}, { newsletter: newsletter_id, newsletter_id }],
    [{ newsletter: { id: newsletter_id, slug: 'weekly' }, newsletter_id }, {}],
    [{ newsletter: 'weekly', email_only: false, status: 'published' }, {}],
  ];
  for (const [post, mail] of same) expect(await edit(harness, id, post, mail)).toBe(null);
  expect(changes()).toBe(before);
  expect(await edit(harness, id, {}, { newsletter: 'daily' })).toBe('newsletter');
  expect(await edit(harness, id, {}, { email_segment: 'all' })).toBe('email_segment');
});

test('everybody is written in two ways', async () => {
  const { harness, id } = await mailedPost({ email_recipient_filter: 'all' });
  for (const email_segment of ['all', 'status:free,status:-free']) {
    expect(await edit(harness, id, {}, { email_segment })).toBe(null);
  }
});

const letter = async (status: string, emailOnly: unknown = 1) => {
  const { harness, id } = await mailedPost({ status });
  harness.insert('posts_meta', { post_id: id, email_only: emailOnly });
  const statusOf = async () => (await readPost(harness.context, { type: 'post', id })).status;
  return { harness, id, statusOf };
};

test.each(['draft', 'scheduled'])('an e-mail-only %s is not published', async (status) => {
  const { harness, id, statusOf } = await letter(status);
  const moves = ['published', 'sent', status === 'draft' ? 'scheduled' : 'published'];
  for (const wanted of moves) {
    const move = { status: wanted, published_at: LATER, email_only: true };
    expect(await edit(harness, id, move)).toBe('email_only');
  }
  expect(await edit(harness, id, { title: 'New', status, email_only: true })).toBe(null);
  expect(await statusOf()).toBe(status);
  const release = { status: 'published', email_only: false, published_at: EARLIER };
  expect(await edit(harness, id, release)).toBe(null);
  expect(await statusOf()).toBe('published');
});

test.each([
  ['sent', 1],
  ['published', 1],
  ['published', 2],
])('an e-mail-only post that is %s keeps its status: flag %j', async (status, flag) => {
  const { harness, id, statusOf } = await letter(status, flag);
  for (const sentBack of ['sent', 'published', undefined]) {
    expect(await edit(harness, id, { title: `T ${sentBack}`, status: sentBack })).toBe(null);
    expect(await statusOf()).toBe(status);
  }
  expect(await edit(harness, id, { email_only: false, status: 'sent' })).toBe(null);
  expect(await statusOf()).toBe('published');
});
