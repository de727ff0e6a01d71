// The body of a delivery (facts 8.4): the event's name, the generation, and what the record is and was.
// `previous` holds only the stored top-level keys that changed; a removed record is all previous. A body
// over 256 kB goes without html and plaintext and says so.
import { PAYLOAD_BYTES_MAX } from '../../../base/limits.ts';
import type { ChangedNames } from '../../../content/paths/changed-names.ts';
import type {
  AdminContext,
  JsonObject,
  PostRecord,
} from '../../../publication/documents/admin/document-context.ts';
import {
  adminMember,
  deletedMember,
  type MemberRecord,
  storedMember,
} from '../../../publication/documents/admin/member.ts';
import { adminPost, deletedPost, storedPost } from '../../../publication/documents/admin/post.ts';
import { adminTag, storedTag } from '../../../publication/documents/admin/tag.ts';
import { adminTier } from '../../../publication/documents/admin/tier.ts';
import type { TagRecord } from './record-states.ts';

/** What a payload says of its record. */
export type Shown = {
  readonly current: JsonObject;
  readonly previous: JsonObject;
  /** False where a body alone is longer than a payload may be: nothing of it was spelled. */
  readonly hasBody?: boolean;
};

type States<T> = { readonly before: T | null; readonly after: T | null };

/** From this length on a body is never sent. A placeholder in it may be longer than the address that it stands for. */
const BODY_LENGTH_MAX = 2 * PAYLOAD_BYTES_MAX;

export const showPost = (
  { before, after }: States<PostRecord>,
  context: AdminContext,
  bodyLengthMax = BODY_LENGTH_MAX,
): Shown => {
  const hasBody = Math.max(bodyLength(before), bodyLength(after)) <= bodyLengthMax;
  if (after === null) {
    const previous = before === null ? {} : deletedPost(before, context, hasBody);
    return { current: {}, previous, hasBody };
  }
  const current = adminPost(after, context, hasBody);
  if (before === null) return { current, previous: {}, hasBody };
  const { tags: _tags, authors: _authors, ...fields } = storedPost(after, context, hasBody);
  const old = storedPost(before, context, hasBody);
  return {
    current,
    previous: {
      ...changedKeys(old, fields),
      ...(sameIds(before.tags, after.tags) ? {} : { tags: old.tags }),
      ...(sameIds(before.authors, after.authors) ? {} : { authors: old.authors }),
      ...(sameIds(before.tiers, after.tiers) ? {} : { tiers: before.tiers.map(adminTier) }),
    },
    hasBody,
  };
};

const bodyLength = (record: PostRecord | null): number => {
  const html: unknown = record?.post.html;
  return typeof html === 'string' || html instanceof Uint8Array ? html.length : 0;
};

export const showTag = ({ before, after }: States<TagRecord>, context: AdminContext): Shown => {
  const old = before === null ? {} : storedTag(before, context);
  if (after === null) return { current: {}, previous: old };
  return {
    current: adminTag(after, context),
    previous: before === null ? {} : changedKeys(old, storedTag(after, context)),
  };
};

export const showMember = (
  { before, after }: States<MemberRecord>,
  context: AdminContext,
): Shown => {
  if (after === null) {
    return { current: {}, previous: before === null ? {} : deletedMember(before, context) };
  }
  return {
    current: adminMember(after, context),
    previous: before === null ? {} : changedKeys(storedMember(before), storedMember(after)),
  };
};

/** The keys of `now` that had another value, with that value. */
const changedKeys = (old: JsonObject, now: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(now)
      .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
      .map((key) => [key, old[key] ?? null]),
  );

const sameIds = (
  a: readonly { readonly id: string }[],
  b: readonly { readonly id: string }[],
): boolean => a.map(({ id }) => id).join() === b.map(({ id }) => id).join();

type Body = {
  readonly event: string;
  readonly generation: number;
  /** Root key of the record; none for events of the site. */
  readonly root?: 'post' | 'page' | 'tag' | 'member';
  readonly shown?: Shown;
  /** Of site.changed. */
  readonly changed?: ChangedNames;
};

/** The exact text that is signed and sent, and the part of it that says what the record is and was. */
export const formatPayload = ({ event, generation, root, shown, changed }: Body): Formatted => {
  if (changed !== undefined) {
    const body = JSON.stringify(changed).slice(1);
    return { payload: `{"event":"${event}","generation":${generation},${body}`, body };
  }
  if (root === undefined || shown === undefined) {
    return { payload: JSON.stringify({ event, generation }) };
  }
  const { current, previous, hasBody = true } = shown;
  if (hasBody) {
    const body = JSON.stringify({ current, previous });
    const payload = `{"event":"${event}","${root}":${body},"generation":${generation}}`;
    if (Buffer.byteLength(payload) <= PAYLOAD_BYTES_MAX) return { payload, body };
  }
  const short = JSON.stringify({
    current: withoutText(current),
    previous: withoutText(previous),
  });
  return {
    payload: `{"event":"${event}","${root}":${short},"generation":${generation},"truncated":true}`,
    body: short,
  };
};

type Formatted = { readonly payload: string; readonly body?: string };

const withoutText = ({ html: _html, plaintext: _plaintext, ...rest }: JsonObject): JsonObject =>
  rest;
