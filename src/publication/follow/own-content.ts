// What an import brought, and its source has withdrawn since, looks like what was written here: it stays, so the report
// of the first look names it.
import type { ReportBuilder } from '../import/import-report.ts';
import { findStanding } from '../store/import/followed.ts';
import { listRowsAfter } from '../store/import/import-rows.ts';
import type { Stage } from '../store/import/import-stage.ts';
import type { Transaction } from '../store/store.ts';

const PAGE = 500;

const KINDS = [
  { table: 'posts', subject: 'slug', kind: 'ownPosts' },
  { table: 'members', subject: 'id', kind: 'ownMembers' },
] as const;

type Looked = { readonly stage: Stage; readonly report: Pick<ReportBuilder, 'remark'> };

/** Every row of the source is staged, and rows that stand for those of other ids are noted. */
export const remarkOwn = async (tx: Transaction, { stage, report }: Looked): Promise<void> => {
  for (const { table, subject, kind } of KINDS) {
    // A source that shows no members does not lack them.
    if (!stage.declares(table)) continue;
    let after = '';
    for (;;) {
      const columns = ['id', 'status', subject];
      const rows = await listRowsAfter(tx, { table, columns, after, limit: PAGE });
      const ids = rows.map(({ id }) => String(id));
      const theirs = stage.staged(table, ids);
      for (const { target } of await findStanding(tx, table, ids)) theirs.add(target);
      for (const row of rows) {
        const isShown = table === 'members' || row.status === 'published';
        if (isShown && !theirs.has(String(row.id))) report.remark(kind, String(row[subject]));
      }
      if (rows.length < PAGE) break;
      after = ids.at(-1) ?? '';
    }
  }
};
