// Newsletters: list, read, create, edit. A new sender address is never stored by a save: it is asked for,
// and becomes effective once its owner has followed the mailed link (verify-sender.ts).
import { randomUUID } from 'node:crypto';
import { PrepressError } from '../base/errors.ts';
import { createId } from '../base/ids.ts';
import { parseStoredTime, toStoredTime } from '../base/time.ts';
import { NEWSLETTER_FLAGS, type NewsletterInput } from '../contract/admin/newsletter-input.ts';
import type { JsonObject } from '../documents/admin/context.ts';
import { adminNewsletter } from '../documents/admin/newsletter.ts';
import {
  deleteNewsletterRow,
  findNewsletter,
  findNewsletterNamed,
  insertNewsletter,
  listNewsletterSlugsLike,
  listNewsletters,
  NEWSLETTER_LIST,
  type NewsletterRow,
  subscribeExisting,
  updateNewsletter,
} from '../store/newsletters.ts';
import type { Reader, Writer } from '../store/store.ts';
import { revokeVerifications } from '../store/verification-tokens.ts';
import { changedColumns } from './changed-columns.ts';
import type { NewslettersContext, UseCaseContext } from './context.ts';
import { type ListParameters, readList } from './list-query.ts';
import type { Pagination } from './pagination.ts';
import { adminShape } from './read-post.ts';
import { makeSlug } from './slugs.ts';
import { toStoredUrl } from './stored-urls.ts';
import { openVerification, sendVerification } from './verify-sender.ts';

type NewsletterColumns = Partial<NewsletterRow>;
type ReadContext = Pick<UseCaseContext, 'store' | 'clock' | 'site'>;

export const browseNewsletters = async (
  context: ReadContext,
  parameters: ListParameters,
): Promise<{ newsletters: JsonObject[]; pagination: Pagination }> => {
  const scope = { reader: context.store.reader, nowMs: context.clock.now() };
  const { rows, pagination } = await readList(scope, NEWSLETTER_LIST, parameters);
  const shape = await adminShape(context);
  return { newsletters: rows.map((row) => adminNewsletter(row, shape)), pagination };
};

/** Throws NOT_FOUND. */
export const readNewsletter = async (context: ReadContext, id: string): Promise<JsonObject> => {
  const row = await findNewsletter(context.store.reader, id);
  if (row === undefined) throw notFound();
  return adminNewsletter(row, await adminShape(context));
};

const notFound = (): PrepressError => new PrepressError('NOT_FOUND', 'Newsletter not found.');

type Saved = {
  readonly id: string;
  /** Properties whose new value waits for the mailed link. */
  readonly sent: readonly string[];
};

type Created = Saved & {
  /** Members who were subscribed with it; null unless that was asked for. */
  readonly optedIn: number | null;
};

/** Throws VALIDATION, TOO_MANY_REQUESTS, MAIL_FAILED; nothing is stored then. */
export const createNewsletter = async (
  context: NewslettersContext,
  input: NewsletterInput & { readonly name: string },
  { optInExisting }: { readonly optInExisting: boolean },
): Promise<Created> => {
  const nowMs = context.clock.now();
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  const { siteUrl } = await context.site();
  const { sender_email } = input;
  const { token, optedIn } = await context.store.write(async (writer) => {
    await refuseTaken(writer, input.name, id);
    await insertNewsletter(writer, {
      ...EMPTY_NEWSLETTER,
      ...columnsOf(input, siteUrl),
      id,
      uuid: randomUUID(),
      name: input.name,
      slug: await freeSlug(writer, input.slug || input.name, id),
      sort_order: input.sort_order ?? (await nextSortOrder(writer)),
      created_at: at,
      updated_at: at,
    });
    return {
      optedIn: optInExisting ? await subscribeExisting(writer, id, nowMs) : null,
      token: sender_email
        ? await openVerification(writer, { id, address: sender_email, nowMs })
        : null,
    };
  });
  if (!sender_email || token === null) return { id, sent: [], optedIn };
  const letter = { id, name: input.name, address: sender_email, token, nowMs };
  await sendVerification(context, letter, (writer) => deleteNewsletterRow(writer, id));
  return { id, sent: ['sender_email'], optedIn };
};

const EMPTY_NEWSLETTER = {
  description: null,
  sender_name: null,
  sender_email: null,
  header_image: null,
  footer_content: null,
  post_title_color: null,
  section_title_color: null,
  divider_color: null,
};

/** Throws NOT_FOUND, VALIDATION, TOO_MANY_REQUESTS (and stores nothing), MAIL_FAILED. */
export const editNewsletter = async (
  context: NewslettersContext,
  id: string,
  input: NewsletterInput,
): Promise<Saved> => {
  const nowMs = context.clock.now();
  const { siteUrl } = await context.site();
  const { sender_email } = input;
  const pending = await context.store.write(async (writer) => {
    const stored = await findNewsletter(writer, id);
    if (stored === undefined) throw notFound();
    if (input.name !== undefined) await refuseTaken(writer, input.name, id);
    const slug = input.slug && input.slug !== stored.slug ? input.slug : null;
    const changes = changedColumns<NewsletterColumns>(stored, {
      ...columnsOf(input, siteUrl),
      ...(slug !== null && { slug: await freeSlug(writer, slug, id) }),
      ...(sender_email === null && { sender_email: null }),
    });
    if (sender_email === null) await revokeVerifications(writer, id, nowMs);
    if (Object.keys(changes).length > 0) {
      const last = parseStoredTime(stored.updated_at) ?? 0;
      const updated_at = toStoredTime(Math.max(nowMs, last + 1));
      await updateNewsletter(writer, id, { ...changes, updated_at });
    }
    if (!sender_email || sender_email === stored.sender_email) return null;
    const token = await openVerification(writer, { id, address: sender_email, nowMs });
    return { id, token, name: input.name ?? stored.name, address: sender_email, nowMs };
  });
  if (pending === null) return { id, sent: [] };
  await sendVerification(context, pending);
  return { id, sent: ['sender_email'] };
};

/** Columns that the payload sets at once, without slug and sender address. */
const columnsOf = (input: NewsletterInput, siteUrl: string): NewsletterColumns => {
  const { slug: _slug, sender_email: _address, header_image, ...rest } = input;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as NewsletterColumns;
  const flags: NewsletterColumns = {};
  for (const name of NEWSLETTER_FLAGS) {
    const value = input[name];
    if (value !== undefined) flags[name] = Number(value);
  }
  return {
    ...given,
    ...flags,
    ...(header_image !== undefined && {
      header_image: header_image === null ? null : toStoredUrl(header_image, siteUrl),
    }),
  };
};

const freeSlug = (writer: Writer, text: string, exceptId: string): Promise<string> =>
  makeSlug(text, {
    noun: 'newsletter',
    takenLike: (base) => listNewsletterSlugsLike(writer, base, exceptId),
  });

const nextSortOrder = async (reader: Reader): Promise<number> => {
  const active = (await listNewsletters(reader)).filter(({ status }) => status === 'active');
  return Math.max(-1, ...active.map(({ sort_order }) => sort_order)) + 1;
};

const refuseTaken = async (writer: Writer, name: string, exceptId: string): Promise<void> => {
  if ((await findNewsletterNamed(writer, name, exceptId)) === undefined) return;
  throw new PrepressError('VALIDATION', 'A newsletter with the same name already exists.', {
    property: 'name',
  });
};
