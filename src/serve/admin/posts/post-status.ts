// Which status and time of publishing a save leads to (facts section 9, decisions, Publishing). Pure. A
// record that is published for a time in the future is scheduled instead. Nothing becomes `sent` here: an
// e-mail-only post keeps its status or becomes a draft; one that was sent is published only when that is said.
import { invalid } from '../../../base/errors.ts';
import type { ClockState } from '../../../publication/store/log/clock-state.ts';

export type PostStatus = 'draft' | 'published' | 'scheduled' | 'sent';

type Planned = { readonly status: PostStatus; readonly publishedAt: number | null };
type Stored = Planned & { readonly emailOnly: boolean };

type Asked = {
  readonly status: PostStatus | undefined;
  /** Milliseconds; undefined when the client sent none. */
  readonly publishedAt: number | null | undefined;
  readonly emailOnly: boolean;
};

/** How far in the past a newly scheduled time may lie. */
const SCHEDULE_LATE_MS = 120_000;

/** Throws VALIDATION when the move is refused. `stored` is null for a new record. */
export const planStatus = (stored: Stored | null, asked: Asked, clock: ClockState): Planned => {
  const { nowMs, presentMs } = clock;
  const status = asked.status ?? stored?.status ?? 'draft';
  const known = stored?.publishedAt ?? null;
  const publishedAt = asked.publishedAt === undefined ? known : asked.publishedAt;
  if (status === 'draft') return { status, publishedAt };
  if (asked.emailOnly) return planUnsent(stored, status, publishedAt);
  if (status === 'scheduled') return planScheduled(stored, publishedAt, nowMs);
  // Clients send back the status that they read: no edit of another field publishes what was sent.
  const isReleased = stored?.emailOnly === true && !asked.emailOnly;
  if (status === 'sent' && stored?.status === 'sent' && !isReleased) {
    return { status, publishedAt: publishedAt ?? presentMs };
  }
  const isSaid = stored?.status === 'draft' && asked.publishedAt !== undefined;
  return planPublished(stored, { publishedAt, isSaid }, presentMs);
};

const planPublished = (
  stored: Stored | null,
  { publishedAt, isSaid }: Pick<Planned, 'publishedAt'> & { readonly isSaid: boolean },
  presentMs: number,
): Planned => {
  if (publishedAt === null) return { status: 'published', publishedAt: presentMs };
  if (publishedAt <= presentMs) return { status: 'published', publishedAt };
  if (isSaid || publishedAt !== stored?.publishedAt) return { status: 'scheduled', publishedAt };
  // The clock went back since it was published: that takes nothing back.
  if (stored.status === 'published') return { status: 'published', publishedAt };
  if (stored.status === 'sent') return { status: 'scheduled', publishedAt };
  // "Publish now" of a scheduled post, or of a draft whose future time nobody named.
  return { status: 'published', publishedAt: presentMs };
};

/** An e-mail-only post, whose mail nobody sends. Clients send back the status that they read. */
const planUnsent = (
  stored: Stored | null,
  status: PostStatus,
  publishedAt: number | null,
): Planned => {
  const isReleased = (one: PostStatus | undefined): boolean =>
    one === 'published' || one === 'sent';
  const isKept = stored?.status === status || (isReleased(stored?.status) && isReleased(status));
  if (stored !== null && isKept) return { status: stored.status, publishedAt };
  throw invalid(
    'email_only',
    'The post is e-mail only, and Prepress sends no newsletters: set email_only to false to publish it.',
  );
};

const planScheduled = (
  stored: Stored | null,
  publishedAt: number | null,
  nowMs: number,
): Planned => {
  if (stored?.status === 'published' || stored?.status === 'sent') {
    throw invalid('status', 'Your post is already published, please reload your page.');
  }
  if (publishedAt === null) {
    throw invalid('published_at', 'Value in published_at cannot be blank.');
  }
  const isNew = stored?.status !== 'scheduled' || publishedAt !== stored.publishedAt;
  if (isNew && publishedAt < nowMs - SCHEDULE_LATE_MS) {
    const time = new Date(publishedAt).toISOString();
    throw invalid('published_at', `Date in published_at must not be in the past, got ${time}.`);
  }
  return { status: 'scheduled', publishedAt };
};
