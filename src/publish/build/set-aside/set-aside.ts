// Keeps rows that cannot be rendered from stopping a build: it writes down which earlier row is shown in their
// place, and has the build begin again on a snapshot that hands out those rows. What is written depends on the
// database alone, so that a full build of the same database gives the same bytes, also after a kill in between.
import { closing } from '../../../base/closing.ts';
import { PrepressError } from '../../../base/errors.ts';
import { UNEXPECTED_ROWS_MAX } from '../../../base/limits.ts';
import { createRenderer } from '../../../publication/documents/renderer.ts';
import { type RowProblem, rowsError } from '../../../publication/documents/row-problem.ts';
import type { RecordHolder, SetAsideEntry } from '../../../publication/snapshot/last-good-row.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import {
  hasSetAside,
  outdateSetAside,
  putSetAside,
} from '../../../publication/store/log/set-aside.ts';
import type { Store } from '../../../publication/store/store.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { OutputSettings } from '../output-settings.ts';
import { UNEXPECTED } from '../render/render-records.ts';
import { listUnread, shapeOf, toRowProblems } from './broken-rows.ts';
import {
  type BrokenRow,
  canRender,
  createRowCheck,
  hasNoAddress,
  readPresent,
} from './check-rows.ts';

type Options = {
  readonly store: Store;
  readonly settingsOf: (snapshot: Snapshot) => OutputSettings;
  /** The present in milliseconds. */
  readonly now: () => number;
  /** Fingerprint of the build before: another one may be able to render what is set aside. */
  readonly fingerprint: string | null;
  /** Rows that are set aside are rendered again though they did not change. */
  readonly isFull?: boolean;
  /** A row that cannot be rendered fails the build, also one that is set aside. */
  readonly isStrict?: boolean;
};

/** A row that someone breaks anew in every round does not keep a build from ending. */
const ROUNDS_MAX = 10;

/**
 * Runs `build`, which throws BUILD_INPUT_INVALID with every row that it cannot render, until none is left. When
 * asked to be strict it throws that error.
 */
export const buildSettingAside = async <Result>(
  options: Options,
  build: () => Promise<Result>,
): Promise<Result> => {
  if (await hasSetAside(options.store)) await lookAgain(options);
  if (options.isStrict) throwIfUnread(options);
  for (let round = 1; ; round += 1) {
    try {
      return await build();
    } catch (error) {
      const problems = problemsOf(error);
      const unexpected = problems.filter(({ field }) => field === UNEXPECTED);
      const isFinal = options.isStrict || round === ROUNDS_MAX;
      if (isFinal || problems.length === 0 || unexpected.length > UNEXPECTED_ROWS_MAX) throw error;
      await setAside(options, problems);
    }
  }
};

const problemsOf = (error: unknown): readonly RowProblem[] =>
  error instanceof PrepressError &&
  error.code === 'BUILD_INPUT_INVALID' &&
  Array.isArray(error.details)
    ? (error.details as RowProblem[])
    : [];

/** Renders rows that are set aside and did not change, where that may have another result. */
const lookAgain = ({ store, ...options }: Options): Promise<void> =>
  closing(store.snapshot(), async (snapshot) => {
    const { settingsOf, fingerprint, isFull, isStrict } = options;
    const settings = settingsOf(snapshot);
    const isSame = fingerprint === fingerprintOf(settings);
    if (!isFull && !isStrict && isSame) return;
    const renderer = createRenderer(settings.render);
    const entries = snapshot.setAside().filter(({ isCurrent }) => isCurrent);
    const mended = new Set(
      entries.filter((entry) => {
        const present = hasNoAddress(entry) ? null : readPresent(snapshot, entry);
        return present !== null && canRender(renderer, entry.entity, present);
      }),
    );
    await store.write((tx) => outdateSetAside(tx, [...mended]));
    const broken = entries.filter((entry) => !mended.has(entry));
    if (isStrict && broken.length > 0) throw rowsError(broken.flatMap(problemsOfEntry));
  });

const throwIfUnread = ({ store, settingsOf }: Options): void => {
  const unread = closing(store.snapshot(), (snapshot) =>
    listUnread(snapshot, shapeOf(settingsOf(snapshot))),
  );
  if (unread.length > 0) throw rowsError(unread.flatMap(toRowProblems));
};

const problemsOfEntry = ({ entity, id, problems }: SetAsideEntry): RowProblem[] =>
  problems.map((problem) => ({ table: entity, id, ...problem }));

/** Entries that are written in one transaction: other writers wait that long. */
const WRITTEN_AT_ONCE = 50;

const setAside = (
  { store, settingsOf, now }: Options,
  problems: readonly RowProblem[],
): Promise<void> =>
  closing(store.snapshot(), async (snapshot) => {
    const broken = groupByRecord(problems);
    const renderer = createRenderer(settingsOf(snapshot).render);
    const judge = await createRowCheck({ snapshot, renderer, now: now() }, broken);
    for (let at = 0; at < broken.length; at += WRITTEN_AT_ONCE) {
      const some = broken.slice(at, at + WRITTEN_AT_ONCE);
      await store.write(async (tx) => {
        for (const one of some) {
          const entry = judge(one);
          if (entry !== null) await putSetAside(tx, entry, snapshot.position());
        }
      });
    }
  });

const groupByRecord = (problems: readonly RowProblem[]): BrokenRow[] => {
  const groups = new Map<string, BrokenRow>();
  for (const { table, id, field, reason } of problems) {
    const key = `${table} ${id}`;
    const known = groups.get(key)?.problems ?? [];
    const entity = table as RecordHolder;
    groups.set(key, { entity, id, problems: [...known, { field, reason }] });
  }
  return [...groups.values()];
};
