// The labels of a publication by name, in any case; one that does not exist yet is made.

import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { insertLabel, listLabels } from '../../store/members/labels.ts';
import type { Transaction } from '../../store/store.ts';
import { numberedSlug, slugOf } from '../../tables/slug-text.ts';
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
    // Not of the name: a label that was made from it may have another name by now.
    const id = createId(nowMs);
    const slug = numberedSlug(slugOf(name, { noun: 'label' }), slugs);
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
