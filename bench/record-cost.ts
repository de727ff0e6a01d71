// What the records of a wide edit cost beside those of the first build of a publication of just as many, of which
// each costs less the more there are: both with lists of one record and without search files, and both cycles of a
// program that stays open, which start the threads that they need. Each comes after a build, which leaves both the same
// memory; and the first build before the edit, for the memory of the files that an edit replaces is soon free, and faster
// than other.
import { join } from 'node:path';
import { buildOnce } from './builds.ts';
import { median } from './checks.ts';
import type { Cycle } from './cycles.ts';
import { measureCycle } from './edits.ts';
import { FEW, makePublication } from './publication.ts';

export type RecordCost = {
  /** Of a first build's, each record's time. */
  readonly ratio: number;
  readonly records: number;
};

type RecordCostInput = {
  /** Posts of the publication that is edited. */
  readonly posts: number;
  /** The publishing database. */
  readonly database: string;
  readonly place: string;
  readonly scenario: string;
  readonly rounds: number;
};

/** A publication of just the records that an edit of 10,000 posts changes; of them the others are few if any. */
const SIZES: ReadonlyMap<string, { posts: number; others?: typeof FEW }> = new Map([
  ['tag', { posts: 5_000, others: FEW }],
  ['author', { posts: 550, others: FEW }],
]);

/** Next to nothing is left but the records. */
const environment = {
  PREPRESS_LISTS_MAX: '1',
  PREPRESS_LISTS_PAGES: '1',
  PREPRESS_SEARCH_INDEX: 'false',
};

/** The middle of some rounds, each of which has trees of its own. */
export const measureRecordCost = async (input: RecordCostInput): Promise<RecordCost> => {
  const measured: RecordCost[] = [];
  for (let round = 1; round <= input.rounds; round += 1) {
    const place = join(input.place, `cost-${input.scenario}-${round}`);
    measured.push(await measureOnce({ ...input, place }));
  }
  const ratio = median(measured.map((one) => one.ratio));
  return { ratio, records: measured[0]?.records ?? 0 };
};

const measureOnce = async ({
  posts,
  database,
  place,
  scenario,
}: RecordCostInput): Promise<RecordCost> => {
  const size = SIZES.get(scenario) ?? { posts };
  const first = join(place, 'first');
  await makePublication(join(first, 'data/publication.db'), size.posts, size.others);
  const own = join(place, 'edited');
  await buildOnce(database, own, { environment });
  const full = await measureCycle(first, { folder: place, scenario: 'first', environment });
  const edit = await measureCycle(own, { folder: place, scenario, environment });
  return { ratio: costOf(edit) / costOf(full), records: edit.records };
};

const costOf = ({ milliseconds, records }: Cycle): number => milliseconds / records;
