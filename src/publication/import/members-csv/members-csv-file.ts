// Streams a members CSV: fields that commas, semicolons or tabs separate, as the first line has it, quoted or not, in UTF-8
// or, with its byte-order mark, in UTF-16, any line ending. Hands out one line at a time with its number. Knows the names of columns and
// nothing of what they mean.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import type { CsvError, InfoRecord, Options } from 'csv-parse';
import { PrepressError } from '../../../base/errors.ts';
import { readError } from '../../../base/files/read-fault.ts';
import { TEXT_BYTES_MAX } from '../../../base/limits.ts';
import { encodingOf } from '../../../base/text/text-encoding.ts';
import { isOfNoReaders } from './file-name.ts';
import {
  type Columns,
  type Fields,
  type Mapping,
  planColumns,
  readForeign,
  type Said,
} from './foreign-columns.ts';
import { findMappedTwice, findMappingFault, findOtherAddress } from './mapping-fault.ts';
import { readYesNo } from './yes-no.ts';

/** Has those fields that the line has, where it has too few. */
export type CsvLine = Said & {
  /** Number of the line in the file that it begins on, from 1. */
  readonly line: number;
  /** Why nobody can tell which field is which; null of a line as it should be. */
  readonly fault: string | null;
};

type ReadOptions = {
  /** Columns that it does not name are found by their own names. */
  readonly mapping?: Mapping | undefined;
  /** What messages call the file. */
  readonly name?: string | undefined;
  /** Of every line, beside those of its own. */
  readonly labels?: readonly string[] | undefined;
  /** Bytes that were read, of all of the file. */
  readonly onRead?: (bytes: number, totalBytes: number) => void;
  /** Takes the names of columns that nothing is taken from. */
  readonly onUnused?: (columns: readonly string[]) => void;
};

/** Spreadsheets of Europe write semicolons. */
const DELIMITERS = [',', ';', '\t'] as const;

/** Whether a first line is the header of such a file: it names the e-mail address. */
export const isMembersHeader = (line: string): boolean => findDelimiter(line) !== undefined;

const findDelimiter = (line: string, mapping?: ReadOptions['mapping']): string | undefined =>
  DELIMITERS.find((delimiter) => {
    const names = line.split(delimiter).map((name) => name.replaceAll('"', ''));
    return planColumns(names, mapping).fields.includes('email');
  });

const HEADER_BYTES_MAX = 64 * 1024;

const OF_NAME = 'the name of the file';
const OF_LABELS = 'the labels of the upload';

/** Whether the file begins with such a header. Throws IMPORT_UNREADABLE. */
export const isMembersCsv = async (file: string): Promise<boolean> => {
  const line = await readFirstLine(file);
  return line !== null && !/^\s*[{[]/.test(line) && isMembersHeader(line);
};

/** Null of what is no file: what was read of a pipe would be missing later. */
const readFirstLine = async (file: string): Promise<string | null> => {
  try {
    if (!(await stat(file)).isFile()) return null;
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0);
      const bytes = buffer.subarray(0, bytesRead);
      const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
      return text.replace(/^sep=.(?:\r\n?|\n)/i, '').split(/[\r\n]/, 1)[0] ?? '';
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw readError(file, cause);
  }
};

/**
 * Throws IMPORT_UNREADABLE; MEMBERS_CSV_INVALID where the file has no such header, or has a quotation mark that is never
 * closed, with the number of the line; COLUMNS_UNCLEAR where a column may speak of consent and is not understood.
 */
export async function* readMembersCsv(
  file: string,
  options: ReadOptions = {},
): AsyncGenerator<CsvLine> {
  let columns: Columns | null = null;
  let areGone = false;
  let isAddressed = false;
  for await (const { line, cells, isMarked, hasNul } of readLines(file, options)) {
    if (columns === null) {
      // UTF-16 without its mark.
      if (hasNul) throw notMembers(options.name ?? file, NOT_TEXT);
      // Excel reads the delimiter from this line.
      if (/^sep=.?$/i.test(cells[0] ?? '')) continue;
      columns = planHeader(cells, file, options);
      areGone = isOfNoReaders(basename(options.name ?? file), columns);
      options.onUnused?.(columns.unused);
    } else {
      const { fields, fault } = nameFields(columns, cells, isMarked);
      if (!isAddressed && fields.email?.trim()) {
        isAddressed = true;
        refuse(findOtherAddress(columns, cells, options.mapping));
      }
      const said = isMarked
        ? { fields, goneBy: null, isDoubtful: false, unclearBy: null, unreadTimeBy: null }
        : readForeign(columns, cells, fields);
      const isGone = areGone && readYesNo(fields.subscribed_to_emails ?? '') !== true;
      yield { line, ...(isGone ? asGone(said) : said), fault };
    }
  }
  if (columns === null) throw notMembers(options.name ?? file, 'it is empty');
}

const asGone = (said: Said): Said => ({
  ...said,
  fields: { ...said.fields, subscribed_to_emails: 'false' },
  goneBy: said.goneBy ?? OF_NAME,
  isDoubtful: false,
});

const planHeader = (
  cells: readonly string[],
  file: string,
  { mapping, name = file, labels = [] }: ReadOptions,
): Columns => {
  const columns = planColumns(cells, mapping);
  refuse(findMappingFault(mapping, columns.written) ?? findMappedTwice(columns, mapping));
  const fault = headerFault(columns.fields);
  if (fault !== null) throw notMembers(name, fault);
  if (columns.unclear.length > 0) {
    const named = columns.unclear.map((column) => `"${column}"`).join(', ');
    refuse(
      `Of the file ${name}, these columns may say who wants no mail, and are not understood: ${named}.`,
    );
  }
  const ofLabels = { at: -1, kind: 'words', name: OF_LABELS, yields: true } as const;
  const consents = [...columns.consents, { ...ofLabels, cell: labels.join(',') }];
  return { ...columns, consents };
};

const refuse = (sentence: string | null): void => {
  if (sentence !== null) throw new PrepressError('COLUMNS_UNCLEAR', sentence);
};

/** Of two columns of one meaning nobody knows which one counts. */
const headerFault = (fields: Columns['fields']): string | null => {
  if (!fields.includes('email')) return 'its first line does not name the column "email"';
  const twice = fields.find((column, at) => column !== null && fields.indexOf(column) !== at);
  return twice === undefined ? null : `its first line has two columns for "${twice}"`;
};

const nameFields = (
  { fields }: Columns,
  cells: readonly string[],
  isMarked: boolean,
): { readonly fields: Fields; readonly fault: string | null } => {
  if (isMarked) return { fields: {}, fault: 'holds a quotation mark that is not doubled' };
  const named = fields.slice(0, cells.length);
  return {
    fields: Object.fromEntries(
      named.flatMap((column, at) => (column === null ? [] : [[column, cells[at] ?? '']])),
    ),
    fault:
      cells.length === fields.length
        ? null
        : `has ${cells.length} field${cells.length === 1 ? '' : 's'} where the first line has ${fields.length}`,
  };
};

type RawLine = {
  readonly line: number;
  readonly cells: readonly string[];
  /** It holds a quotation mark that neither begins nor ends a field, and is not doubled. */
  readonly isMarked: boolean;
  readonly hasNul: boolean;
};

async function* readLines(
  file: string,
  { onRead, mapping, name = file }: ReadOptions,
): AsyncGenerator<RawLine> {
  const { parse } = await import('csv-parse');
  const delimiter = findDelimiter((await readFirstLine(file)) ?? '', mapping) ?? ',';
  const totalBytes = await sizeOf(file);
  const stream = createReadStream(file);
  let endedAt = 0;
  /** A break of two characters within quotation marks is two lines for the parser. */
  let surplus = 0;
  // Its types know neither what `raw` adds nor another result.
  const onRecord = ({ record, raw }: Parsed, { lines }: InfoRecord): RawLine => {
    const breaks = record.flatMap((field) => field.match(BREAK) ?? []);
    surplus += breaks.filter(({ length }) => length === 2).length;
    endedAt = lines - surplus;
    const isMarked = !isWellQuoted(raw, delimiter);
    // Not every database holds it.
    const cells = record.map((field) => field.replaceAll('\0', ''));
    return { line: endedAt - breaks.length, cells, isMarked, hasNul: raw.includes('\0') };
  };
  const parser = parse({
    delimiter,
    // A file may have been put together from parts with other line endings.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Else nobody can tell where the next line begins.
    relax_quotes: true,
    raw: true,
    skip_empty_lines: true,
    // Spreadsheets write the rows below a table as delimiters alone.
    skip_records_with_empty_values: true,
    max_record_size: TEXT_BYTES_MAX,
    on_record: onRecord as unknown as NonNullable<Options['on_record']>,
  });
  stream.on('error', (cause) => parser.destroy(readError(file, cause)));
  const text = decodeText();
  text.on('error', (cause) => parser.destroy(notMembers(name, NOT_TEXT, cause)));
  stream.pipe(text).pipe(parser);
  try {
    for await (const line of parser as AsyncIterable<RawLine>) {
      yield line;
      onRead?.(stream.bytesRead, totalBytes);
    }
  } catch (error) {
    throw isCsvError(error) ? faultOf(name, error, endedAt + 1) : error;
  } finally {
    stream.destroy();
  }
}

const NOT_TEXT = 'it is neither UTF-8 nor UTF-16 with a byte-order mark';

type Parsed = { readonly record: string[]; readonly raw: string };

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');

/** Whether each quotation mark begins a field, ends one, or is doubled within one. */
const isWellQuoted = (raw: string, delimiter: string): boolean => {
  const parts = raw.split('"');
  const last = parts.length - 1;
  const begins = (part: string, at: number) => at === 0 || part.startsWith(delimiter);
  const ends = (part: string, at: number) => at === last || part.endsWith(delimiter);
  return parts.every(
    (part, at) => at % 2 === 1 || BREAKS.test(part) || (begins(part, at) && ends(part, at)),
  );
};

/** Nothing, or those of empty lines before a record, and its own. */
const BREAKS = /^[\r\n]*$/;
const BREAK = /\r\n|\n|\r/g;

/** Fails on bytes of any other encoding: nobody can tell what they mean. */
const decodeText = (): Transform => {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (bytes: Buffer, isLast: boolean, done: TransformCallback): void => {
    try {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      done(null, decoder.decode(bytes, { stream: !isLast }));
    } catch (error) {
      done(error as Error);
    }
  };
  return new Transform({
    transform: (bytes: Buffer, _encoding, done) => decode(bytes, false, done),
    flush: (done) => decode(Buffer.alloc(0), true, done),
  });
};

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw readError(file, cause);
  }
};

const notMembers = (file: string, why: string, cause?: unknown): PrepressError =>
  new PrepressError('MEMBERS_CSV_INVALID', `The file ${file} is not a members CSV: ${why}.`, {
    cause,
  });

const faultOf = (file: string, fault: CsvError, line: number): PrepressError =>
  notMembers(
    file,
    fault.code === 'CSV_MAX_RECORD_SIZE'
      ? `line ${line} is too long`
      : `a quotation mark in line ${line} is not closed`,
    fault,
  );
