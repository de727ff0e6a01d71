// Notes why a row of the source is not taken as it is, from its intake to the transaction that leaves the last readable
// version in place. A note also says how closed the source has the record now: every doubt closes.

import type { SourceProblem } from '../../snapshot/source-problem.ts';
import { CLOSED, rankVisibility } from '../../snapshot/visibility-rank.ts';
import type { RawRow } from '../../sources/source.ts';
import { findRows } from '../../store/import/import-rows.ts';
import type { Stage } from '../../store/import/import-stage.ts';
import type { ApplyContext } from '../apply/apply-context.ts';
import type { TableFacts } from './ghost-tables.ts';
import type { Problem } from './normalise-row.ts';
import { isShownRow, isShownTable } from './shown-columns.ts';

export type RowNote = Problem & {
  /** See publication/snapshot/visibility-rank.ts. */
  readonly rank: number;
  /** The row has a part in documents. */
  readonly isInDocument: boolean;
  /** Of a setting. */
  readonly key?: string;
};

/** `raw` null: the row is at hand no more. */
export const noteRow = (
  stage: Stage,
  facts: TableFacts,
  { id, raw, problem }: { readonly id: string; readonly raw: RawRow | null; problem: Problem },
): void => {
  const key = facts.into === 'settings' && typeof raw?.key === 'string' ? raw.key : '';
  const isInDocument = raw === null ? isShownTable(facts) : isShownRow(facts, raw);
  const rank = rankOf(facts, raw);
  const note = { ...problem, rank, isInDocument, ...(key !== '' && { key }) };
  stage.note(facts.from, id, JSON.stringify(note));
};

export const readNotes = (
  stage: Stage,
  { from }: TableFacts,
  ids: readonly string[],
): Map<string, RowNote> => {
  const notes = [...stage.notes(from, ids)];
  return new Map(notes.map(([id, text]) => [id, parseNote(text)]));
};

/** JSON has no infinite number and makes it null. */
const parseNote = (text: string): RowNote => {
  const note = JSON.parse(text) as RowNote & { readonly rank: number | null };
  return { ...note, rank: note.rank ?? CLOSED };
};

/** Of a version of a record, here or at the source; a column that the source lacks closes nothing. */
const rankOf = ({ into }: TableFacts, row: RawRow | null): number => {
  if (row === null) return CLOSED;
  const { status = 'published', visibility = 'public' } = row;
  if (into === 'posts' && status !== 'published') return CLOSED;
  return into === 'posts' || into === 'tags' ? rankVisibility(into, visibility) : 0;
};

/** Of rows that documents show, by id: why they are not taken as they are. */
export const findProblems = async (
  { tx, stage, aliases }: Pick<ApplyContext, 'tx' | 'stage' | 'aliases'>,
  facts: TableFacts,
  ids: readonly string[],
): Promise<Map<string, SourceProblem>> => {
  const notes = [...readNotes(stage, facts, ids)].filter(([, note]) => note.isInDocument);
  const rejected = stage.flagged('rejected', facts.from, ids);
  const values = notes.map(([id]) => aliases.resolve(facts.into, id));
  const versions = await findRows(tx, { table: facts.into, by: 'id', values });
  const shown = new Set(
    versions.filter((row) => rankOf(facts, row) !== CLOSED).map(({ id }) => id),
  );
  return new Map(
    notes.map(([id, { field, reason, key }]) => {
      const isShown = rejected.has(id) && shown.has(aliases.resolve(facts.into, id));
      return [id, { field, reason, isShown, ...(key !== undefined && { key }) }];
    }),
  );
};

/** Those of the noted rows that the source may have taken back, or gated more, since the publication's version. */
export const findDoubtful = async (
  { tx, stage, aliases }: Pick<ApplyContext, 'tx' | 'stage' | 'aliases'>,
  facts: TableFacts,
  notes: ReadonlyMap<string, RowNote>,
): Promise<string[]> => {
  const mailed = stage.flagged('mailed', facts.from, [...notes.keys()]);
  const ids = new Map([...notes.keys()].map((id) => [aliases.resolve(facts.into, id), id]));
  const versions = await findRows(tx, { table: facts.into, by: 'id', values: [...ids.keys()] });
  return versions.flatMap((version) => {
    const target = String(version.id);
    const id = ids.get(target) ?? target;
    const rank = mailed.has(id) ? CLOSED : (notes.get(id)?.rank ?? CLOSED);
    const isHidden = rankOf(facts, version) === CLOSED;
    return rank > rankOf(facts, version) && !isHidden ? [target] : [];
  });
};
