// What all parts of an import of members work with.
import { deriveId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import type { Row } from '../../store/import/import-rows.ts';
import type { NewsletterRow } from '../../store/members/newsletters.ts';
import type { Transaction } from '../../store/store.ts';
import type { ReportBuilder } from '../import-report.ts';
import type { CheckedLine } from './check-member-lines.ts';
import type { Known } from './known-members.ts';
import type { LabelBook } from './label-book.ts';

export type WriterInput = {
  readonly tx: Transaction;
  readonly report: ReportBuilder;
  readonly nowMs: number;
  /** The file replaces what is known of a member; otherwise labels are added, and a member is unsubscribed only. */
  readonly replaces: boolean;
  readonly losses?: Losses | undefined;
};

/** Numbers of known members. */
export type Losses = {
  /** Who lose a value or a label. */
  erased: number;
  /** Who get no newsletter, and would. */
  subscribed: number;
  /** Whose plan or tier ends. */
  lowered: number;
};

export type WriterContext = WriterInput & {
  readonly labels: LabelBook;
  readonly newsletters: readonly NewsletterRow[];
};

export type OfMember = { readonly line: CheckedLine; readonly memberId: string };

/** A row to add, or null. */
export const customerOf = (
  { nowMs }: WriterContext,
  { customers }: Known,
  { line, memberId }: OfMember,
): Row | null => {
  const { customerId } = line;
  if (customerId === null || customers.has(customerId)) return null;
  return {
    id: deriveId('customers', customerId),
    member_id: memberId,
    customer_id: customerId,
    name: line.name ?? null,
    email: line.email,
    created_at: toStoredTime(nowMs),
  };
};
