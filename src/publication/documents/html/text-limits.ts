// What a row may hold (base/limits.ts), told in one way wherever a row comes in or goes out: at saving, at
// importing, at rendering. Each measure takes time in proportion to the text.
import { BODY_BYTES_MAX, BODY_DEPTH_MAX, TEXT_BYTES_MAX } from '../../../base/limits.ts';
import type { RowProblem } from '../row-problem.ts';
import { type ByteText, readByteText } from './byte-text.ts';
import { MarkupReader } from './markup-reader.ts';

/** A unit of a text takes so many bytes at most. */
const UNIT_BYTES_MAX = 3;
const BODY_FIELDS: ReadonlySet<string> = new Set(['html', 'plaintext', 'lexical', 'mobiledoc']);

/**
 * Why the text cannot stand in the field, as the end of a sentence that begins with its name; or null. The bytes are
 * those of UTF-8.
 */
export const findTextFault = (field: string, text: string): string | null => {
  const fault = findLengthFault(field, text);
  return fault === null && field === 'html' && mayBeDeep(text) ? findDeepFault(text) : fault;
};

export const findLengthFault = (field: string, value: string | Uint8Array): string | null => {
  const bytesMax = BODY_FIELDS.has(field) ? BODY_BYTES_MAX : TEXT_BYTES_MAX;
  if (value.length * UNIT_BYTES_MAX <= bytesMax) return null;
  const bytes = typeof value === 'string' ? Buffer.byteLength(value) : value.length;
  return bytes > bytesMax ? `is ${bytes} bytes long, more than the ${bytesMax} allowed` : null;
};

/** Of html that is too deep. */
export const DEPTH_FAULT = `has elements nested more than ${BODY_DEPTH_MAX} deep`;

/**
 * The faults of a row that is to be rendered, but for the depth of its body. Of plain text only an opening is read, so
 * its length matters to nobody.
 */
export const findRowFaults = (
  table: string,
  row: object & { readonly id: unknown },
): RowProblem[] => {
  const problems: RowProblem[] = [];
  // A list of the entries of each row of a full build would take longer than to look at them.
  for (const field in row) {
    const value: unknown = row[field as keyof typeof row];
    if (field === 'plaintext' || !(typeof value === 'string' || value instanceof Uint8Array))
      continue;
    const reason = findLengthFault(field, value);
    if (reason !== null) problems.push({ table, id: String(row.id), field, reason });
  }
  return problems;
};

export const findDepthFault = (html: ByteText): string | null =>
  mayBeDeep(html) ? findDeepFault(readByteText(html)) : null;

/** Few bodies have so many tags that the depth of their elements must be measured. */
const mayBeDeep = (html: string): boolean => {
  let tags = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    tags += 1;
    if (tags > BODY_DEPTH_MAX) return true;
  }
  return false;
};

const findDeepFault = (html: string): string | null => {
  const nothing = (): void => undefined;
  const reader = new MarkupReader(html, {
    open: nothing,
    close: nothing,
    text: nothing,
    other: nothing,
  });
  reader.read();
  return reader.isTooDeep ? DEPTH_FAULT : null;
};
