// Judges rows that cannot be rendered: reads what the change log and the earlier entries hold of each, one record
// at a time, and says what is to be written of it. Writes nothing.
import { PrepressError } from '../../../base/errors.ts';
import { addTo } from '../../../base/group-by.ts';
import { spellBytes } from '../../../base/text/stored-text.ts';
import type { Renderer } from '../../../publication/documents/renderer.ts';
import type {
  LastGoodRow,
  RecordHolder,
  SetAside,
  SetAsideEntry,
} from '../../../publication/snapshot/last-good-row.ts';
import type { Change, Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { NewEntry } from '../../../publication/store/log/set-aside.ts';
import { toDocumentRow } from '../../../publication/tables/document-row.ts';
import { chooseLastGoodRow } from './last-good-row.ts';

export type BrokenRow = Pick<SetAside, 'entity' | 'id' | 'problems'>;

type Scope = {
  readonly snapshot: Snapshot;
  readonly renderer: Renderer;
  /** The present in milliseconds. */
  readonly now: number;
};

/** Gives a function that judges each of `broken`; null for a row that is gone or mended by now. */
export const createRowCheck = async (
  scope: Scope,
  broken: readonly BrokenRow[],
): Promise<(one: BrokenRow) => NewEntry | null> => {
  const { snapshot } = scope;
  const entries = new Map(snapshot.setAside().map((entry) => [nameOf(entry), entry]));
  const basis = basisOf(snapshot);
  const starts = new Map(
    broken.map((one) => [nameOf(one), basis.startOf(entries.get(nameOf(one)))]),
  );
  const changes = await readChanges(snapshot, starts);
  return (one) => {
    const known = entries.get(nameOf(one));
    const logged = changes.get(nameOf(one)) ?? [];
    return judge(scope, one, { known, logged, isLogged: basis.isLogged(known) });
  };
};

const nameOf = ({ entity, id }: Pick<SetAside, 'entity' | 'id'>): string => `${entity} ${id}`;

/** Which changes of a record are news, and whether the log has all of them. */
const basisOf = (snapshot: Snapshot) => {
  const { epoch } = snapshot.position();
  const announced = snapshot.announced();
  const isFollowed = announced !== null && snapshot.follows(announced);
  return {
    isLogged: (known: SetAsideEntry | undefined): boolean =>
      known === undefined ? isFollowed : known.epoch === epoch,
    startOf: (known: SetAsideEntry | undefined): number =>
      Math.max(known?.seq ?? 0, isFollowed ? announced.seq : 0),
  };
};

/** The changes of each record's own rows that come after its start. */
const readChanges = async (
  snapshot: Snapshot,
  starts: ReadonlyMap<string, number>,
): Promise<Map<string, Change[]>> => {
  const changes = new Map<string, Change[]>();
  const add = (change: Change): void => {
    const entity = change.entity === 'posts_meta' ? 'posts' : change.entity;
    for (const id of new Set([change.record_id, change.old_record_id])) {
      const name = `${entity} ${id}`;
      if (change.seq > (starts.get(name) ?? Number.POSITIVE_INFINITY)) addTo(changes, name, change);
    }
  };
  const oldest = Math.min(...new Set(starts.values()));
  for await (const part of snapshot.changesAfter(oldest, 'documents')) part.forEach(add);
  return changes;
};

type Known = {
  readonly known: SetAsideEntry | undefined;
  readonly logged: readonly Change[];
  readonly isLogged: boolean;
};

const judge = (
  scope: Scope,
  one: BrokenRow,
  { known, logged, isLogged }: Known,
): NewEntry | null => {
  const { snapshot, renderer, now } = scope;
  const { entity, id } = one;
  const hide = { ...one, since: known?.since ?? now, brokenSeq: known?.brokenSeq ?? 0, kept: null };
  const hiddenSeq = known?.hiddenSeq ?? logged[0]?.seq ?? 0;
  // Its earlier row was handed out and cannot be rendered either, or it has no address.
  if (hasNoAddress(one) || known?.isCurrent === true) return { ...hide, hiddenSeq };
  const present = readPresent(snapshot, one);
  if (present === null || canRender(renderer, entity, present)) return null;
  const { kept, brokenSeq } = chooseLastGoodRow({
    entity,
    log: {
      id,
      present,
      changes: isLogged ? logged : [],
      oldRow: (seq) => snapshot.oldRow(seq),
    },
    ...(known !== undefined && { base: snapshot.lastGoodRow(entity, id) }),
    ...(known === undefined && !isLogged && { base: null }),
    canRender: (row) => canRender(renderer, entity, row),
    now,
  });
  // A row that was mended and broken again since is set aside anew.
  const entry = brokenSeq === null ? hide : { ...hide, since: now, brokenSeq };
  if (kept !== null) return { ...entry, kept, hiddenSeq: null };
  return { ...entry, hiddenSeq: brokenSeq ?? hiddenSeq };
};

/** No earlier row can stand for a record whose id cannot name it. */
export const hasNoAddress = ({ problems }: BrokenRow): boolean =>
  problems.some(({ field }) => field === 'id');

/** The row as it is now, as the change log would hold it; null when there is none, or more than one. */
export const readPresent = (
  snapshot: Snapshot,
  { entity, id }: Pick<BrokenRow, 'entity' | 'id'>,
): LastGoodRow | null => {
  const [row, ...others] = snapshot.rows(entity, [id]);
  if (row === undefined || others.length > 0) return null;
  const [meta] = entity === 'posts' ? snapshot.rows('posts_meta', [id]) : [];
  return { row: asLogged(row), meta: meta === undefined ? null : asLogged(meta) };
};

const asLogged = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, spellBytes(value)]));

/** What a post is linked to cannot keep it from being rendered. Throws what concerns every row. */
export const canRender = (
  renderer: Renderer,
  entity: RecordHolder,
  { row, meta }: LastGoodRow,
): boolean => {
  try {
    if (entity === 'posts') {
      const post = { ...toDocumentRow('posts_meta', meta ?? {}), ...toDocumentRow('posts', row) };
      renderer.post({ post, tags: [], authors: [] });
    } else if (entity === 'tags') {
      renderer.tag({ tag: toDocumentRow('tags', row), posts: 0 });
    } else {
      renderer.author({ author: toDocumentRow('users', row), posts: 0 });
    }
    return true;
  } catch (error) {
    if (error instanceof PrepressError && error.code !== 'BUILD_INPUT_INVALID') throw error;
    return false;
  }
};
