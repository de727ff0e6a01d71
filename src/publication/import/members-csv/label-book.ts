// The labels of a publication by name, in any case; one that does not exist yet is made.

import { deriveId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { insertLabel, listLabels } from '../../store/members/labels.ts';
import type { Transaction } from '../../store/store.ts';
import type { ReportBuilder } from '../import-report.ts';

export type LabelBook = {
  /** Ids, in the order of the names, each once. */
  readonly resolve: (names: readonly string[]) => Promise<string[]>;
};

type BookInput = {
  readonly tx: Transaction;
  readonly report: ReportBuilder;
  readonly nowMs: number;
};

export const openLabelBook = async ({ tx, report, nowMs }: BookInput): Promise<LabelBook> => {
  const rows = await listLabels(tx);
  const ids = new Map(rows.toReversed().map(({ id, name }) => [fold(name), id]));
  const slugs = new Set(rows.map(({ slug }) => slug));
  const create = async (name: string): Promise<string> => {
    const id = deriveId('labels', fold(name));
    const slug = freeSlug(slugs, name, id);
    const at = toStoredTime(nowMs);
    await insertLabel(tx, { id, name, slug, created_at: at, updated_at: at });
    slugs.add(slug);
    ids.set(fold(name), id);
    report.count('labels', 'read');
    report.count('labels', 'added');
    return id;
  };
  return {
    resolve: async (names) => {
      const found = new Set<string>();
      for (const name of names) found.add(ids.get(fold(name)) ?? (await create(name)));
      return [...found];
    },
  };
};

const fold = (name: string): string => name.trim().toLowerCase();

const SLUG_UNITS_MAX = 150;

const freeSlug = (taken: ReadonlySet<string>, name: string, id: string): string => {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '');
  const base = words.join('-').slice(0, SLUG_UNITS_MAX);
  if (base !== '' && !taken.has(base)) return base;
  return base === '' ? `label-${id}` : `${base}-${id}`;
};
