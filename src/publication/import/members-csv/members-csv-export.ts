// Writes members as Ghost's CSV, which importMembersCsv reads back. Nothing in a cell is a formula for a spreadsheet.
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseStoredTime } from '../../../base/time.ts';
import {
  type ExportedMember,
  type ExportQuery,
  readMembersToExport,
} from '../../store/members/member-export.ts';
import { guardFormula } from './formula-guard.ts';
import { MEMBERS_COLUMNS, type MembersColumn } from './members-columns.ts';

const CHARS_AT_ONCE = 256 * 1024;

/** Writes a new file that nobody else reads; answers how many members it holds. */
export const exportMembersCsv = (
  store: Parameters<typeof readMembersToExport>[0],
  file: string,
  query: ExportQuery,
): number => {
  const output = openSync(file, 'wx', 0o600);
  try {
    let members = 0;
    let text = MEMBERS_COLUMNS.join(',');
    for (const member of readMembersToExport(store, query)) {
      members += 1;
      const cells = cellsOf(member);
      text += `\r\n${MEMBERS_COLUMNS.map((column) => quote(guardFormula(cells[column]))).join(',')}`;
      if (text.length < CHARS_AT_ONCE) continue;
      writeSync(output, text);
      text = '';
    }
    writeSync(output, text);
    return members;
  } finally {
    closeSync(output);
  }
};

const cellsOf = (member: ExportedMember): Record<MembersColumn, string> => ({
  id: member.id,
  email: member.email,
  name: member.name ?? '',
  note: member.note ?? '',
  subscribed_to_emails: String(member.subscribed === 1),
  complimentary_plan: member.status === 'comped' ? 'true' : '',
  stripe_customer_id: member.customer_id ?? '',
  created_at: timeOf(member.created_at),
  deleted_at: '',
  labels: member.labels ?? '',
  // Ghost's database has free members with a tier; an import refuses a tier that no plan gives.
  tiers: member.status === 'free' ? '' : (member.tiers ?? ''),
  gift_id: member.gift_id ?? '',
});

const timeOf = (stored: ExportedMember['created_at']): string => {
  const ms = parseStoredTime(stored);
  return ms === null ? '' : new Date(ms).toISOString();
};

/** White space at an end would be lost on readers that trim. */
const quote = (cell: string): string =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
