// Decides what a build must look at: everything, or the records that the change log names and those that
// show them. Pure: all it knows comes in. The log is read in parts, so that a long one holds up nobody.
import { RESOURCES, type Resource } from '../../content/paths/endpoints.ts';
import { isLocalSite } from '../../publication/import/intake/site-url.ts';
import type { RecordHolder } from '../../publication/snapshot/last-good-row.ts';
import type { Change, Snapshot } from '../../publication/snapshot/snapshot.ts';
import { findLogged } from '../../publication/tables/record-tables.ts';
import type { ManifestState } from '../manifest/manifest.ts';
import { hasSameShape } from './fingerprint.ts';
import { readInParts } from './read-in-parts.ts';

export type Touched = Readonly<Record<Resource, ReadonlySet<string>>>;

export type Plan =
  | {
      readonly kind: 'full';
      readonly reason: FullReason;
      /** The tree is what the manifest says: nothing of it has to be read. */
      readonly isTreeKnown: boolean;
    }
  | {
      readonly kind: 'incremental';
      readonly touched: Touched;
      readonly settings: boolean;
    };

export type FullReason =
  | 'asked for'
  | 'no earlier build'
  | 'another output folder'
  | 'settings or versions changed'
  | 'the change log does not follow'
  | 'the output was touched by something else';

type PlanInput = {
  readonly isFullAsked: boolean;
  readonly state: ManifestState | null;
  readonly root: string;
  readonly fingerprint: string;
  /** The files on the disk that were looked at are the ones that were written. */
  readonly isTreeTrusted: () => boolean;
  readonly snapshot: Snapshot;
};

export const planBuild = async (input: PlanInput): Promise<Plan> => {
  const { state, snapshot, fingerprint } = input;
  const full = (reason: FullReason, isTreeKnown = false): Plan => ({
    kind: 'full',
    reason,
    isTreeKnown,
  });
  if (input.isFullAsked) return full('asked for');
  if (state === null) return full('no earlier build');
  if (state.root !== input.root) return full('another output folder');
  const follows = snapshot.follows(state.position);
  if (state.fingerprint !== fingerprint) {
    const isSameShape = hasSameShape(state.fingerprint, fingerprint);
    return full('settings or versions changed', isSameShape && follows && input.isTreeTrusted());
  }
  if (!follows) return full('the change log does not follow');
  if (!input.isTreeTrusted()) return full('the output was touched by something else');
  const rows = await touchedBy(snapshot.changesAfter(state.position.seq, 'documents'));
  const touched = await withEmbedding(rows, snapshot);
  if (await isBelied(rows, touched, snapshot)) return full('the change log does not follow');
  return { kind: 'incremental', settings: rows.settings, touched };
};

/** What the changes after `seq` reach. */
export const findTouched = async (
  snapshot: Snapshot,
  seq: number,
): Promise<{ readonly touched: Touched; readonly settings: boolean }> => {
  const rows = await touchedBy(snapshot.changesAfter(seq, 'documents'));
  return { touched: await withEmbedding(rows, snapshot), settings: rows.settings };
};

type MutableTouched = Record<Resource, Set<string>>;

type TouchedRows = {
  /** Records whose rows or links changed. */
  readonly touched: MutableTouched;
  /** Tags and authors whose own rows changed: posts that embed them change too. */
  readonly embedded: Readonly<Record<'tags' | 'authors', Set<string>>>;
  readonly settings: boolean;
  /** By the log's newest word, whether the row of a record stands. */
  readonly stands: Readonly<Record<RecordHolder, Map<string, boolean>>>;
  /** Every change is one that a trigger writes. */
  readonly isReadable: boolean;
};

type MutableRows = { -readonly [K in keyof TouchedRows]: TouchedRows[K] };

const OPERATIONS: ReadonlySet<string> = new Set<Change['op']>(['i', 'u', 'd', 'r']);

const HOLDERS: readonly RecordHolder[] = ['posts', 'tags', 'users'];

const isHolder = (entity: string): entity is RecordHolder =>
  HOLDERS.some((table) => table === entity);

const touchedBy = async (parts: AsyncIterable<readonly Change[]>): Promise<TouchedRows> => {
  const rows: MutableRows = {
    touched: { posts: new Set(), pages: new Set(), tags: new Set(), authors: new Set() },
    embedded: { tags: new Set<string>(), authors: new Set<string>() },
    stands: { posts: new Map(), tags: new Map(), users: new Map() },
    settings: false,
    isReadable: true,
  };
  for await (const part of parts) {
    for (const change of part) addChange(rows, change);
  }
  return rows;
};

/** Whether the row of a record stands after the change. */
const noteStanding = ({ stands }: MutableRows, change: Change): void => {
  const { entity, op, record_id, old_record_id } = change;
  if (!isHolder(entity)) return;
  if (old_record_id !== null) stands[entity].set(old_record_id, false);
  stands[entity].set(record_id, op === 'i' || op === 'u');
};

const addChange = (rows: MutableRows, change: Change): void => {
  const { touched, embedded } = rows;
  const facts = findLogged(change.entity);
  rows.isReadable &&= OPERATIONS.has(change.op) && facts !== undefined;
  noteStanding(rows, change);
  const records = [change.record_id, change.old_record_id].filter((id) => id !== null);
  const others = [change.other_id, change.old_other_id].filter((id) => id !== null);
  const add = (resource: Resource, ids: readonly string[]): void => {
    for (const id of ids) touched[resource].add(id);
  };
  switch (facts?.shows) {
    case 'posts': {
      // A post may have become a page, so both are looked at.
      for (const resource of ['posts', 'pages'] as const) add(resource, records);
      const linked = findLogged(facts.target ?? '')?.shows;
      if (linked === 'tags' || linked === 'authors') add(linked, others);
      break;
    }
    case 'tags':
    case 'authors':
      for (const id of records) embedded[facts.shows].add(id);
      break;
    case 'settings':
      rows.settings = true;
      break;
  }
};

/**
 * True when the log holds what no trigger writes, or says of a row that is not there that it stands: something
 * else of it may be wrong too. Throws DATABASE_UNREADABLE when a row stands that its index does not lead to;
 * the build would remove its record.
 */
const isBelied = async (
  { stands, isReadable }: TouchedRows,
  { posts, tags, authors }: Touched,
  snapshot: Snapshot,
): Promise<boolean> => {
  if (!isReadable) return true;
  const looked = { posts, tags, users: authors };
  for (const table of HOLDERS) {
    // What the log says to be gone is not looked for: that would be a reading of the whole table.
    const expected = [...looked[table]].filter((id) => stands[table].get(id) !== false);
    const missing = await readInParts(expected, (part) => snapshot.missing(table, part));
    if (missing.some((id) => stands[table].has(id))) return true;
  }
  return false;
};

/** Adds the posts that embed an edited tag or author, and the tags and authors that count touched posts. */
const withEmbedding = async (rows: TouchedRows, snapshot: Snapshot): Promise<Touched> => {
  const { touched, embedded } = rows;
  const edited = [...touched.posts];
  for (const resource of ['tags', 'authors'] as const) {
    const shown = await readInParts(edited, (part) => snapshot.linkedTo(resource, part));
    for (const id of shown) touched[resource].add(id);
    const showing = (part: readonly string[]) => snapshot.linkedFrom(resource, part);
    for (const id of await readInParts(embedded[resource], showing)) {
      touched.posts.add(id);
      touched.pages.add(id);
    }
    for (const id of embedded[resource]) touched[resource].add(id);
  }
  return touched;
};

type Before = {
  /** A tree of before that still stands. */
  readonly leftTree: string | null;
  /** Of the last build and of this one; null where the last one does not tell. */
  readonly siteUrls: readonly [string, string] | null;
};

/** What whoever reads the build's report should know of the plan. */
export const warningsOf = (plan: Plan, { leftTree, siteUrls }: Before): string[] => {
  if (plan.kind !== 'full') return [];
  // A tree of before is not removed: another host may still serve it.
  if (plan.reason === 'another output folder') {
    return leftTree === null
      ? []
      : [
          `The last build wrote to ${leftTree}, and its files are still there; remove them if nothing else uses them.`,
        ];
  }
  return [
    // A restored database, or a log that someone dropped: what is missing from it is not announced.
    ...(plan.reason === 'the change log does not follow'
      ? ['The change log does not continue from the last build: everything was built and compared.']
      : []),
    ...(siteUrls === null ? [] : siteUrlWarning(...siteUrls)),
  ];
};

/** An option holds for one run: without it, the next one sends readers to this machine. */
const siteUrlWarning = (before: string, now: string): string[] =>
  isLocalSite(now) && !isLocalSite(before)
    ? [
        `The last build had siteUrl ${before}, this one has the default, ${now}. To keep an address, set "siteUrl" in prepress.config.json; --site-url holds for one run.`,
      ]
    : [];

export const isEmptyPlan = (plan: Plan): boolean =>
  plan.kind === 'incremental' &&
  !plan.settings &&
  RESOURCES.every((resource) => plan.touched[resource].size === 0);

/** About as many records as the build looks at. */
export const countPlanned = (plan: Plan, snapshot: Snapshot): number =>
  plan.kind === 'full'
    ? snapshot.countRecords()
    : // A touched post is looked for among the pages too.
      new Set(RESOURCES.flatMap((resource) => [...plan.touched[resource]])).size;
