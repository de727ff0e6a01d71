// What one snapshot sees of the records that are set aside: which entries hold, the keys of the earlier rows that
// are shown, and those rows. An entry holds while the log has no later change of its row: nothing that was decided
// about one row covers the next one.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import { parseStored } from '../../../base/stored-json.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import type { SetAsideTable } from '../../tables/pipeline.ts';
import { publicPost } from '../../tables/published-posts.ts';
import {
  fieldProblems,
  type LastGoodKey,
  type LastGoodRow,
  lastGoodKey,
  lastGoodRow,
  type RecordHolder,
  type SetAsideEntry,
} from '../last-good-row.ts';
import type { Position } from '../snapshot.ts';

export type PlacedKept = Omit<LastGoodKey, 'type'> & { readonly id: string };

export type SetAsideReader = {
  /** All entries, by id; what holds for none of them is up to their rows. */
  readonly entries: () => readonly SetAsideEntry[];
  readonly isEmpty: () => boolean;
  /** True when an entry holds for the row with that id. */
  readonly has: (entity: RecordHolder, id: unknown) => boolean;
  /**
   * Keys of the earlier rows that are shown. Where another record has the slug now, the record is placed under its
   * id instead: the living row keeps the address.
   */
  readonly keys: (resource: Resource) => readonly PlacedKept[];
  /** JSON arrays of ids, of posts and pages: those that are not shown, and those that are, as what they were. */
  readonly posts: () => AsidePosts;
  /** The earlier row that is shown, or null. */
  readonly row: (entity: RecordHolder, id: string) => LastGoodRow | null;
};

type AsidePosts = { readonly absent: string; readonly post: string; readonly page: string };

const ENTRY = 'What is kept of a row that is set aside';

type Entry = SetAsideEntry & { readonly key: LastGoodKey | null };

export const readAside = (statements: Preparing, position: Position): SetAsideReader => {
  let known: Known | null = null;
  const read = (): Known => {
    known ??= readEntries(statements, position);
    return known;
  };
  let posts: AsidePosts | null = null;
  const keys = new Map<Resource, readonly PlacedKept[]>();
  const has: SetAsideReader['has'] = (entity, id) => read().current.has(nameOf(entity, idText(id)));
  return {
    has,
    entries: () => read().all,
    isEmpty: () => read().current.size === 0,
    keys: (resource) => {
      const placed = keys.get(resource) ?? placeKept(statements, resource, { ...read(), has });
      keys.set(resource, placed);
      return placed;
    },
    posts: () => {
      posts ??= listPosts(read());
      return posts;
    },
    row: (entity, id) => {
      const kept = statements
        .prepare('SELECT kept FROM set_aside WHERE entity = ? AND id = ?')
        .pluck()
        .get(entity, id) as string | null | undefined;
      return kept ? parseStored(lastGoodRow, kept, ENTRY) : null;
    },
  };
};

type Known = {
  readonly all: readonly Entry[];
  /** Those that hold, by what they are named. */
  readonly current: ReadonlyMap<string, Entry>;
};

const listPosts = ({ current }: Known): AsidePosts => {
  const posts = [...current.values()].filter(({ entity }) => entity === 'posts');
  const ids = (isWanted: (key: LastGoodKey | null) => boolean): string =>
    JSON.stringify(posts.filter(({ key }) => isWanted(key)).map(({ id }) => id));
  return {
    absent: ids((key) => key === null),
    post: ids((key) => key !== null && key.type !== 'page'),
    page: ids((key) => key?.type === 'page'),
  };
};

const nameOf = (entity: string, id: string): string => `${entity} ${id}`;

/** Another program may have stored an id as anything. */
const idText = (id: unknown): string =>
  id instanceof Uint8Array ? Buffer.from(id).toString() : String(id ?? '');

type StoredEntry = Omit<SetAsideTable, 'entity' | 'kept'> & { entity: RecordHolder };

const readEntries = (statements: Preparing, position: Position): Known => {
  const rows = statements
    .prepare(
      `SELECT entity, id, problems, since, epoch, seq, broken_seq, hidden_seq, kept_key
       FROM set_aside ORDER BY id`,
    )
    .all() as StoredEntry[];
  if (rows.length === 0) return { all: [], current: new Map() };
  const changes = readChanges(statements, rows, startOf(statements, rows, position));
  const all = rows.map((row): Entry => {
    const later = changes.get(nameOf(row.entity, row.id))?.find((seq) => seq > row.seq);
    return {
      entity: row.entity,
      id: row.id,
      problems: parseStored(fieldProblems, row.problems, ENTRY),
      since: row.since,
      epoch: row.epoch,
      seq: row.seq,
      brokenSeq: row.broken_seq,
      hiddenSeq: row.hidden_seq,
      key: row.kept_key === null ? null : parseStored(lastGoodKey, row.kept_key, ENTRY),
      changedSeq: later ?? null,
      isCurrent: row.epoch === position.epoch && row.seq >= 0 && later === undefined,
    };
  });
  const current = all.filter(({ isCurrent }) => isCurrent);
  return {
    all,
    current: new Map(current.map((entry) => [nameOf(entry.entity, entry.id), entry])),
  };
};

/**
 * Changes up to here are looked at already. Entries that a change outdated are made anew or removed before it is
 * announced, so that the log is not read from the oldest entry on.
 */
const startOf = (
  statements: Preparing,
  entries: readonly StoredEntry[],
  { epoch }: Position,
): number => {
  const oldest = entries.reduce((seq, entry) => Math.min(seq, entry.seq), Number.MAX_SAFE_INTEGER);
  const announced = statements
    .prepare('SELECT seq FROM published_position WHERE id = 1 AND epoch = ?')
    .pluck()
    .get(epoch) as number | undefined;
  return Math.max(oldest, announced ?? 0);
};

type Logged = { seq: number; entity: string; record_id: string; old_record_id: string | null };

/** Changes of these records after `start`, in their order. */
const readChanges = (
  statements: Preparing,
  entries: readonly StoredEntry[],
  start: number,
): Map<string, number[]> => {
  const found = new Map(entries.map(({ entity, id }) => [nameOf(entity, id), [] as number[]]));
  const changes = statements
    .prepare(
      `SELECT seq, entity, record_id, old_record_id FROM changes
       WHERE seq > ? AND entity IN ('posts', 'posts_meta', 'tags', 'users') ORDER BY seq`,
    )
    .iterate(start) as Iterable<Logged>;
  for (const { seq, entity, record_id, old_record_id } of changes) {
    const holder = entity === 'posts_meta' ? 'posts' : entity;
    for (const id of [record_id, old_record_id]) found.get(nameOf(holder, id ?? ''))?.push(seq);
  }
  return found;
};

const ENTITIES: Readonly<Record<Resource, RecordHolder>> = {
  posts: 'posts',
  pages: 'posts',
  tags: 'tags',
  authors: 'users',
};

type Placing = Known & Pick<SetAsideReader, 'has'>;

const placeKept = (
  statements: Preparing,
  resource: Resource,
  { current, has }: Placing,
): PlacedKept[] => {
  const entity = ENTITIES[resource];
  const type = resource === 'pages' ? 'page' : 'post';
  const living =
    entity === 'posts'
      ? statements.prepare(
          `SELECT id FROM posts WHERE slug = ? AND type = ? AND ${publicPost('posts')}`,
        )
      : statements.prepare(`SELECT id FROM ${entity} WHERE slug = ?`);
  const taken = new Set<string>();
  const isTaken = (slug: string): boolean => {
    const given = entity === 'posts' ? [slug, type] : [slug];
    return (
      taken.has(slug) ||
      living
        .pluck()
        .all(given)
        .some((id) => !has(entity, id))
    );
  };
  return [...current.values()].flatMap((entry): PlacedKept[] => {
    const { id, key } = entry;
    if (entry.entity !== entity || key === null) return [];
    if (entity === 'posts' && (key.type === 'page') !== (resource === 'pages')) return [];
    let slug = key.slug;
    while (isTaken(slug)) slug = slug === key.slug ? id : `${slug}-`;
    taken.add(slug);
    return [{ id, slug, time: key.time ?? null }];
  });
};
