// Newsletters: list, read, create, edit. A new sender address is never stored by a save: it becomes effective once its
// owner has followed the link that is mailed to it (verify-sender.ts).
import { randomUUID } from 'node:crypto';
import { invalid, notFound } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import { adminNewsletter } from '../../../publication/documents/admin/newsletter.ts';
import { toStoredValue } from '../../../publication/documents/stored-columns.ts';
import { revokeVerifications } from '../../../publication/store/access/verification-tokens.ts';
import { refuseWhileFollowing } from '../../../publication/store/import/following.ts';
import {
  findNewsletter,
  findNewsletterNamed,
  insertNewsletter,
  listNewsletters,
  NEWSLETTER_LIST,
  type NewsletterRow,
  updateNewsletter,
} from '../../../publication/store/members/newsletters.ts';
import type { Queryable, Transaction } from '../../../publication/store/store.ts';
import { NEWSLETTER_FLAGS, type NewsletterInput } from '../../contract/input/newsletter-input.ts';
import type { Site } from '../../editor/site.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { type Listed, type ListParameters, readList } from '../list-query.ts';
import { adminShape } from '../posts/read-post.ts';
import { editedSlug, freeSlug } from '../slugs.ts';
import type { NewslettersContext, ReadContext } from '../use-case-context.ts';
import { mailVerification, openVerification } from './verify-sender.ts';

type NewsletterColumns = Partial<NewsletterRow>;

export const browseNewsletters = async (
  context: ReadContext,
  parameters: ListParameters,
): Promise<Listed> => {
  const { rows, pagination } = await readList(context, NEWSLETTER_LIST, parameters);
  const shape = await adminShape(context);
  return { records: rows.map((row) => adminNewsletter(row, shape)), pagination };
};

/** Throws NOT_FOUND. */
export const readNewsletter = async (context: ReadContext, id: string): Promise<JsonObject> => {
  const row = await findNewsletter(context.store, id);
  if (row === undefined) throw notFound('Newsletter');
  return adminNewsletter(row, await adminShape(context));
};

type Saved = {
  readonly id: string;
  /** Properties whose new value waits for the mailed link. */
  readonly sent: readonly string[];
};

/** Throws VALIDATION, TOO_MANY_REQUESTS, MAIL_FAILED; nothing is stored then. `keyId` is the admin key that asks. */
export const createNewsletter = async (
  context: NewslettersContext,
  input: NewsletterInput & { readonly name: string },
  keyId: string,
): Promise<Saved> => {
  const { store, clock } = context;
  const id = createId(clock.now());
  const site = await context.site();
  const address = input.sender_email;
  const check = async (tx: Transaction): Promise<void> => {
    await refuseWhileFollowing(tx);
    await refuseTaken(tx, input.name, id);
  };
  const token = address ? await mailVerification(context, { address, keyId, check }) : null;
  const nowMs = clock.now();
  const at = toStoredTime(nowMs);
  await store.write(async (tx) => {
    await check(tx);
    await insertNewsletter(tx, {
      ...EMPTY_NEWSLETTER,
      ...columnsOf(input, site),
      id,
      uuid: randomUUID(),
      name: input.name,
      slug: await freeSlug(tx, 'newsletters', { text: input.slug || input.name, exceptId: id }),
      sort_order: input.sort_order ?? (await nextSortOrder(tx)),
      created_at: at,
      updated_at: at,
    });
    if (address && token) await openVerification(tx, { id, address, token, nowMs });
  });
  return { id, sent: token === null ? [] : ['sender_email'] };
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

type Edit = { readonly id: string; readonly input: NewsletterInput };

type Planned = {
  readonly stored: NewsletterRow;
  /** Without the sender address. */
  readonly changes: NewsletterColumns;
};

/** Throws NOT_FOUND, VALIDATION, TOO_MANY_REQUESTS, MAIL_FAILED; nothing is stored then. */
export const editNewsletter = async (
  context: NewslettersContext,
  { id, input }: Edit,
  keyId: string,
): Promise<Saved> => {
  const { store, clock } = context;
  const site = await context.site();
  const address = input.sender_email;
  const plan = async (from: Queryable): Promise<Planned> => {
    const stored = await findNewsletter(from, id);
    if (stored === undefined) throw notFound('Newsletter');
    if (input.name !== undefined) await refuseTaken(from, input.name, id);
    const changes = changedColumns<NewsletterRow>(stored, {
      ...columnsOf(input, site),
      ...(await editedSlug(from, 'newsletters', { stored, wanted: input.slug })),
    });
    // The address that it is sent from stays ours.
    if (Object.keys(changes).length > 0) await refuseWhileFollowing(from);
    return { stored, changes };
  };
  const isNew = address && address !== (await plan(store)).stored.sender_email;
  const token = isNew ? await mailVerification(context, { address, keyId, check: plan }) : null;
  const nowMs = clock.now();
  await store.write(async (tx) => {
    const { stored, changes: others } = await plan(tx);
    const isCleared = address === null && stored.sender_email !== null;
    const changes = { ...others, ...(isCleared && { sender_email: null }) };
    if (address === null) await revokeVerifications(tx, id, nowMs);
    if (address && token) await openVerification(tx, { id, address, token, nowMs });
    if (Object.keys(changes).length === 0) return;
    const updated_at = nextUpdate(stored.updated_at, nowMs);
    await updateNewsletter(tx, id, { ...changes, updated_at });
  });
  return { id, sent: token === null ? [] : ['sender_email'] };
};

/** Columns that the payload sets at once, without slug and sender address. */
const columnsOf = (input: NewsletterInput, site: Site): NewsletterColumns => {
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
      header_image:
        header_image === null
          ? null
          : toStoredValue({ table: 'newsletters', column: 'header_image' }, header_image, site),
    }),
  };
};

const nextSortOrder = async (from: Queryable): Promise<number> => {
  const active = (await listNewsletters(from)).filter(({ status }) => status === 'active');
  return Math.max(-1, ...active.map(({ sort_order }) => sort_order)) + 1;
};

const refuseTaken = async (from: Queryable, name: string, exceptId: string): Promise<void> => {
  if ((await findNewsletterNamed(from, name, exceptId)) === undefined) return;
  throw invalid('name', 'A newsletter with the same name already exists.');
};
