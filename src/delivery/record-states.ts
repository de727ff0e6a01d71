// Posts, tags and members as they were after a change of the log, put together from the histories of
// their rows. Links whose other end is missing are left out, as documents do.
import type { PostRecord } from '../documents/admin/context.ts';
import type { MemberRecord } from '../documents/admin/member.ts';
import type { RecordRow, RecordTable } from '../store/snapshot.ts';
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
    const linked = <T extends RecordTable>(pivot: RecordTable, column: string, table: T) =>
      linkedRows(history, { pivot, column, table, record: id, seq });
    return {
      post: post as RecordRow<'posts'>,
      meta: (history.rowsAt('posts_meta', id, seq)[0] ?? null) as RecordRow<'posts_meta'> | null,
      tags: linked('posts_tags', 'tag_id', 'tags').map(([row]) => row),
      authors: linked('posts_authors', 'author_id', 'users').map(([row]) => row),
      tiers: linked('posts_tiers', 'tier_id', 'tiers').map(([row]) => row),
    };
  },
  tag: (id, seq) => history.rowAt('tags', id, seq) as TagRecord | null,
  member: (id, seq) => {
    const member = history.rowAt('members', id, seq);
    if (member === null) return null;
    const linked = <T extends RecordTable>(pivot: RecordTable, column: string, table: T) =>
      linkedRows(history, { pivot, column, table, record: id, seq });
    return {
      member: member as RecordRow<'members'>,
      labels: linked('members_labels', 'label_id', 'labels').map(([row]) => row),
      newsletters: linked('members_newsletters', 'newsletter_id', 'newsletters').map(
        ([row]) => row,
      ),
      tiers: linked('members_tiers', 'tier_id', 'tiers').map(([tier, link]) => ({
        tier,
        expiryAt: (link.expiry_at ?? null) as string | number | null,
      })),
      subscriptions: [],
    };
  },
});

type LinkQuery<T extends RecordTable> = {
  readonly pivot: RecordTable;
  /** Column of the pivot that names the other end. */
  readonly column: string;
  readonly table: T;
  readonly record: string;
  readonly seq: number;
};

/** The linked rows in their order, each once, with the link that names it first. */
const linkedRows = <T extends RecordTable>(
  history: History,
  { pivot, column, table, record, seq }: LinkQuery<T>,
): [RecordRow<T>, Row][] => {
  const links = history.rowsAt(pivot, record, seq).sort(compareLinks);
  const found = new Map<string, [RecordRow<T>, Row]>();
  for (const link of links) {
    const other = String(link[column]);
    if (found.has(other)) continue;
    const row = history.rowAt(table, other, seq);
    if (row !== null) found.set(other, [row as unknown as RecordRow<T>, link]);
  }
  return [...found.values()];
};

const compareLinks = (a: Row, b: Row): number =>
  Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0) || (String(a.id) < String(b.id) ? -1 : 1);
