// Streams a members CSV as Ghost writes it: quoted fields, a byte-order mark or none, any line ending. Hands out one
// line at a time with its number. Knows the names of columns and nothing of what they mean.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import type { CsvError } from 'csv-parse';
import { PrepressError } from '../base/errors.ts';
import { TEXT_BYTES_MAX } from '../base/limits.ts';

export const MEMBERS_COLUMNS = [
  'id',
  'email',
  'name',
  'note',
  'subscribed_to_emails',
  'complimentary_plan',
  'stripe_customer_id',
  'created_at',
  'deleted_at',
  'labels',
  'tiers',
  'gift_id',
] as const;

export type MembersColumn = (typeof MEMBERS_COLUMNS)[number];

/** What Ghost calls columns elsewhere. */
const OTHER_NAMES: Readonly<Record<string, MembersColumn>> = {
  subscribed: 'subscribed_to_emails',
  import_tier: 'tiers',
};

export type CsvLine = {
  /** Number of the line in the file that it begins on, from 1. */
  readonly line: number;
  /** Null of a line that has another number of fields than the header, or a stray quotation mark. */
  readonly fields: Readonly<Partial<Record<MembersColumn, string>>> | null;
};

type ReadOptions = {
  /** Columns by the names that the header gives them; others are found by their own. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  /** What messages call the file. */
  readonly name?: string | undefined;
  /** Bytes that were read, of all of the file. */
  readonly onRead?: (bytes: number, totalBytes: number) => void;
};

/** Whether a first line is the header of such a file: it names the e-mail address. */
export const isMembersHeader = (line: string): boolean =>
  columnsOf(line.split(',').map((name) => name.replaceAll('"', ''))).includes('email');

const HEADER_BYTES_MAX = 64 * 1024;

/** Whether the file begins with such a header. Throws IMPORT_UNREADABLE. */
export const isMembersCsv = async (file: string): Promise<boolean> => {
  try {
    // What was read of a pipe would be missing later.
    if (!(await stat(file)).isFile()) return false;
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0);
      const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/[\r\n]/, 1);
      return isMembersHeader(line);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
};

/** Each column once: that which the mapping gives it, else the last of its name. */
const columnsOf = (
  header: readonly string[],
  mapping: Readonly<Record<string, string>> = {},
): (MembersColumn | null)[] => {
  const names = header.map((name) => name.replace(/^\ufeff/, '').trim());
  const mapped = names.map((name) =>
    Object.hasOwn(mapping, name) ? columnNamed(mapping[name] ?? '') : null,
  );
  return names.map((name, at) => {
    if (Object.hasOwn(mapping, name)) return mapped[at] ?? null;
    const own = columnNamed(name);
    return mapped.includes(own) ? null : own;
  });
};

const columnNamed = (name: string): MembersColumn | null => {
  const plain = name.toLowerCase();
  if (Object.hasOwn(OTHER_NAMES, plain)) return OTHER_NAMES[plain] ?? null;
  return MEMBERS_COLUMNS.find((column) => column === plain) ?? null;
};

/**
 * Throws IMPORT_UNREADABLE, or IMPORT_NOT_AN_EXPORT where the file has no such header or its quotation marks cannot be
 * followed any more, with the number of the line.
 */
export async function* readMembersCsv(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<CsvLine> {
  let columns: readonly (MembersColumn | null)[] | null = null;
  for await (const { line, fields } of readLines(file, options)) {
    if (columns !== null) {
      yield { line, fields: fields === null ? null : nameFields(columns, fields) };
      continue;
    }
    columns = columnsOf(fields ?? [], options.mapping);
    if (!columns.includes('email')) {
      throw notMembers(options.name ?? file, headerFault(fields ?? []));
    }
  }
  if (columns === null) throw notMembers(options.name ?? file, 'it is empty');
}

const headerFault = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 && /[;\t]/.test(first)
    ? 'its columns are not separated by commas'
    : 'its first line does not name the column "email"';

const nameFields = (
  columns: readonly (MembersColumn | null)[],
  fields: readonly string[],
): CsvLine['fields'] => {
  if (fields.length !== columns.length) return null;
  return Object.fromEntries(
    columns.flatMap((column, at) => (column === null ? [] : [[column, fields[at] ?? '']])),
  );
};

type RawLine = { readonly line: number; readonly fields: readonly string[] | null };

async function* readLines(
  file: string,
  { onRead, name = file }: ReadOptions,
): AsyncGenerator<RawLine> {
  const { parse } = await import('csv-parse');
  const totalBytes = await sizeOf(file);
  const stream = createReadStream(file);
  const bad: RawLine[] = [];
  /** The lines on which the records begin that the parser has ready. */
  const begunAt: number[] = [];
  let endedAt = 0;
  /** A break of two characters within quotation marks is two lines for the parser. */
  let surplus = 0;
  const parser = parse({
    bom: true,
    // A file may have been put together from parts with other line endings.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: TEXT_BYTES_MAX,
    on_record: (fields: string[], { lines }) => {
      const breaks = fields.flatMap((field) => field.match(BREAK) ?? []);
      surplus += breaks.filter(({ length }) => length === 2).length;
      endedAt = lines - surplus;
      begunAt.push(endedAt - breaks.length);
      return fields;
    },
  });
  // After other faults nobody can tell where the next line begins.
  parser.on('skip', (fault: CsvError) => {
    const line = Number(fault.lines) - surplus;
    if (fault.code === 'INVALID_OPENING_QUOTE') {
      if (bad.at(-1)?.line !== line) bad.push({ line, fields: null });
    } else parser.destroy(faultOf(name, fault, endedAt + 1));
  });
  stream.on('error', (cause) => parser.destroy(unreadable(file, cause)));
  const text = refuseOtherText();
  text.on('error', (cause) => parser.destroy(notMembers(name, 'it is not UTF-8', cause)));
  stream.pipe(text).pipe(parser);
  try {
    for await (const fields of parser as AsyncIterable<readonly string[]>) {
      const line = begunAt.shift() ?? endedAt;
      while (bad[0] !== undefined && bad[0].line < line) yield bad.shift() as RawLine;
      yield { line, fields };
      onRead?.(stream.bytesRead, totalBytes);
    }
    yield* bad;
  } finally {
    stream.destroy();
  }
}

const BREAK = /\r\n|\n|\r/g;

/** Passes bytes on while they are UTF-8: of any others nobody can tell what they mean. */
const refuseOtherText = (): Transform => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (bytes: Buffer, isLast: boolean): Error | null => {
    try {
      decoder.decode(bytes, { stream: !isLast });
      return null;
    } catch (error) {
      return error as Error;
    }
  };
  return new Transform({
    transform: (bytes: Buffer, _encoding, done) => done(check(bytes, false), bytes),
    flush: (done) => done(check(Buffer.alloc(0), true)),
  });
};

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw unreadable(file, cause);
  }
};

const unreadable = (file: string, cause: unknown): PrepressError =>
  new PrepressError('IMPORT_UNREADABLE', `The file ${file} cannot be read.`, { cause });

const notMembers = (file: string, why: string, cause?: unknown): PrepressError =>
  new PrepressError(
    'IMPORT_NOT_AN_EXPORT',
    `The file ${file} is not a members CSV from Ghost: ${why}.`,
    {
      cause,
    },
  );

const faultOf = (file: string, fault: CsvError, line: number): PrepressError =>
  notMembers(
    file,
    fault.code === 'CSV_MAX_RECORD_SIZE'
      ? `line ${line} is too long`
      : `a quotation mark in line ${line} is not closed`,
    fault,
  );
