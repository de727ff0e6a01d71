// Posts, tags and members as they were after a change of the log, put together from the histories of
// their rows. Links whose other end is missing are left out, as documents do.
import type { PostRecord } from '../../../publication/documents/admin/document-context.ts';
import type { MemberRecord } from '../../../publication/documents/admin/member.ts';
import type { RecordRow } from '../../../publication/snapshot/snapshot.ts';
import { toRecordRow } from '../../../publication/tables/document-row.ts';
import { type LinkTable, RECORD_TABLES } from '../../../publication/tables/record-tables.ts';
import type { History, Row } from './history.ts';

export type TagRecord = RecordRow<'tags'>;

export type RecordStates = {
  readonly post: (id: string, seq: number) => PostRecord | null;
  readonly tag: (id: string, seq: number) => TagRecord | null;
  /** Subscriptions are not logged, so a record of the past has none. */
  readonly member: (id: string, seq: number) => MemberRecord | null;
};

export const readStates = (history: History): RecordStates => ({
  post: (id, seq) => {
    const post = history.rowAt('posts', id, seq);
    if (post === null) return null;
    const [meta] = history.rowsAt('posts_meta', id, seq);
    const linked = <T extends LinkTable>(pivot: T) =>
      linkedRows(history, { pivot, record: id, seq });
    return {
      post: toRecordRow('posts', post),
      meta: meta === undefined ? null : toRecordRow('posts_meta', meta),
      tags: linked('posts_tags').map(([row]) => row),
      authors: linked('posts_authors').map(([row]) => row),
      tiers: linked('posts_tiers').map(([row]) => row),
    };
  },
  tag: (id, seq) => {
    const tag = history.rowAt('tags', id, seq);
    return tag && toRecordRow('tags', tag);
  },
  member: (id, seq) => {
    const member = history.rowAt('members', id, seq);
    if (member === null) return null;
    const linked = <T extends LinkTable>(pivot: T) =>
      linkedRows(history, { pivot, record: id, seq });
    return {
      member: toRecordRow('members', member),
      labels: linked('members_labels').map(([row]) => row),
      newsletters: linked('members_newsletters').map(([row]) => row),
      tiers: linked('members_tiers').map(([tier, link]) => ({
        tier,
        expiryAt: toRecordRow('members_tiers', link).expiry_at,
      })),
      subscriptions: [],
    };
  },
});

type LinkQuery<T extends LinkTable> = {
  readonly pivot: T;
  readonly record: string;
  readonly seq: number;
};

type Target<T extends LinkTable> = (typeof RECORD_TABLES)[T]['target'];
type LinkedRow<T extends LinkTable> = RecordRow<Target<T>>;

/** The linked rows in their order, each once, with the link that names it first. */
const linkedRows = <T extends LinkTable>(
  history: History,
  { pivot, record, seq }: LinkQuery<T>,
): [LinkedRow<T>, Row][] => {
  const { other } = RECORD_TABLES[pivot];
  const target: Target<T> = RECORD_TABLES[pivot].target;
  const links = history.rowsAt(pivot, record, seq).sort(compareLinks);
  const found = new Map<string, [LinkedRow<T>, Row]>();
  for (const link of links) {
    const id = String(link[other]);
    if (found.has(id)) continue;
    const row = history.rowAt(target, id, seq);
    if (row !== null) found.set(id, [toRecordRow<Target<T>>(target, row), link]);
  }
  return [...found.values()];
};

const compareLinks = (a: Row, b: Row): number =>
  Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0) || (String(a.id) < String(b.id) ? -1 : 1);
