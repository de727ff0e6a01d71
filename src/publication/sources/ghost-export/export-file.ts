// Streams a Ghost export: rows of every table, in the order of the file, one at a time and never the
// whole. Tells apart a file that is no export from one that was cut off. Knows nothing of the tables.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import Assembler from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { codeOf } from '../../../base/error-code.ts';
import { PrepressError } from '../../../base/errors.ts';
import { readError } from '../../../base/files/read-fault.ts';

export type ExportPart = {
  readonly table: string;
  /** Empty where the table begins; not every value in it need be a row. */
  readonly rows: readonly unknown[];
  /** Of the bytes of the file, how many were read: 0 to 1. */
  readonly share: number;
};

/** What the file says of itself, filled in while it is read. */
export type ExportFacts = {
  version: string | null;
  /** When it was made; absent: it does not say. */
  madeMs?: number;
  readonly tables: Set<string>;
};

/**
 * Reads `file` to its end. Throws IMPORT_UNREADABLE, IMPORT_NOT_AN_EXPORT or IMPORT_CUT_OFF; rows were
 * handed out by then, so the caller keeps them aside until the end.
 */
export async function* readExportFile(
  file: string,
  facts: ExportFacts,
): AsyncGenerator<ExportPart> {
  const found: Found[] = [];
  const walk = createWalk(file, facts, found);
  const parse = jsonParser({ packValues: true, streamValues: false });
  for await (const { text, share } of readText(file)) {
    for (const token of parseChunk(file, parse, text)) walk.take(token);
    for (const { table, rows } of found.splice(0)) yield { table, rows, share };
  }
  walk.end();
}

/** Reads the first part alone, so that most files that are no export are refused at once. Throws as `readExportFile`. */
export const checkExportStart = async (file: string): Promise<void> => {
  const walk = createWalk(file, { version: null, tables: new Set() }, []);
  const parse = jsonParser({ packValues: true, streamValues: false });
  for await (const { text } of readText(file)) {
    const start = text.trimStart();
    if (start !== '' && !start.startsWith('{')) {
      throw notAnExport(file, 'it is neither a JSON object nor a SQLite database');
    }
    for (const token of parseChunk(file, parse, start)) walk.take(token);
    return;
  }
  throw emptyFile(file);
};

/** Rows of one table, in the order of the file. */
type Found = { readonly table: string; readonly rows: unknown[] };

async function* readText(file: string): AsyncGenerator<{ text: string; share: number }> {
  // Without a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const { size } = await stat(file);
    const stream = createReadStream(file);
    for await (const chunk of stream) {
      const text = decoder.decode(chunk as Buffer, { stream: true });
      // A pipe has no size.
      yield { text, share: Math.min(1, stream.bytesRead / size) || 0 };
    }
  } catch (cause) {
    if (codeOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      const hint = /\.(?:json|txt)$/i.test(file) ? RECODED : undefined;
      throw notAnExport(file, 'it is not text in UTF-8', cause, hint);
    }
    throw readError(file, cause);
  }
}

const parseChunk = (
  file: string,
  parse: ReturnType<typeof jsonParser>,
  text: string,
): readonly Token[] => {
  try {
    const parsed: unknown = parse(text);
    const hasTokens = typeof parsed === 'object' && parsed !== null && 'values' in parsed;
    return hasTokens ? (parsed.values as Token[]) : [];
  } catch (cause) {
    throw notAnExport(file, 'it is not valid JSON', cause);
  }
};

const RECODED = 'Save it as UTF-8, or export again: PowerShell and some editors write UTF-16.';

const notAnExport = (
  file: string,
  why: string,
  cause?: unknown,
  otherwise?: string,
): PrepressError => {
  const hint = OTHER_FILES.find(([name]) => name.test(file))?.[1] ?? otherwise;
  return new PrepressError(
    'IMPORT_NOT_AN_EXPORT',
    `The file ${file} is not a Ghost export: ${why}.`,
    {
      cause,
      ...(hint !== undefined && { hint: hint.replace('FILE', () => file) }),
    },
  );
};

/** What people have instead of an export. */
const OTHER_FILES: readonly (readonly [name: RegExp, hint: string])[] = [
  [
    /\.(?:db|sqlite3?)$/i,
    'Name a Ghost database, such as content/data/ghost.db or mysql://user:password@host/database.',
  ],
  [
    /\.sql(?:\.(?:gz|bz2|xz|zip|zst))?$/i,
    'Load it into a database, and import mysql://user:password@host/database.',
  ],
  [
    /\.(?:zip|t?gz|bz2|xz|7z|rar)$/i,
    'Unpack it first, then import the export, database or CSV in it.',
  ],
  [/\.xlsx?$/i, 'Save the sheet as CSV, then import that file.'],
  [/\.xml$/i, "Import it into Ghost first, then import Ghost's export."],
  [
    /routes\.ya?ml$/i,
    'Prepress does not read routes: set "permalinks" and edit templates, as step 5 of docs/leaving-ghost.md says.',
  ],
  [/\.ya?ml$|redirects\.json$/i, 'Import redirects with "prepress import redirects FILE".'],
];

const emptyFile = (file: string): PrepressError =>
  new PrepressError('IMPORT_NOT_AN_EXPORT', `The file ${file} is empty.`, {
    hint: 'Name a Ghost export or database.',
  });

type Place = 'meta' | 'table' | 'row' | 'elsewhere';
type Step = string | number;

/** Values nested deeper than any export has. */
const DEPTH_MAX = 100;
/** Of Ghost, or such as `009` of the database of a Ghost before 1. */
const VERSION = /^v?\d+(?:\.\d+\.\d+|$)/;

const OPENS: ReadonlySet<string> = new Set(['startObject', 'startArray']);
const CLOSES: ReadonlySet<string> = new Set(['endObject', 'endArray']);

const createWalk = (file: string, facts: ExportFacts, found: Found[]) => {
  /** Where the next value stands: keys and indexes from the top. */
  const path: Step[] = [];
  let hasBegun = false;
  let value: Assembler | null = null;
  let valueDepth = 0;

  const begin = (token: Token): void => {
    if (!hasBegun && token.name !== 'startObject') {
      throw notAnExport(file, 'it does not hold an object');
    }
    hasBegun = true;
  };
  const addRow = (row: unknown): void => {
    const table = String(path.at(-2));
    const last = found.at(-1);
    if (last?.table === table) last.rows.push(row);
    else found.push({ table, rows: [row] });
  };
  const finishValue = (): void => {
    const { current } = value as Assembler;
    value = null;
    if (placeOf(path) === 'meta') readMeta(current as Meta, facts);
    else addRow(current);
  };
  const openValue = (token: Token): void => {
    const place = placeOf(path);
    if (place === 'table' && token.name === 'startArray') {
      const table = String(path.at(-1));
      facts.tables.add(table);
      found.push({ table, rows: [] });
    } else if (token.name === 'startObject' && (place === 'meta' || place === 'row')) {
      value = new Assembler();
      valueDepth = path.length;
    } else if (place === 'row') addRow(null);
  };
  return {
    take: (token: Token): void => {
      begin(token);
      if (token.name === 'keyValue') path[path.length - 1] = token.value;
      else if (!CLOSES.has(token.name)) {
        countItem(path);
        if (value === null) openValue(token);
      }
      value?.consume(token);
      if (OPENS.has(token.name)) path.push(token.name === 'startArray' ? -1 : '');
      if (path.length > DEPTH_MAX) throw notAnExport(file, 'its values are nested too deeply');
      if (CLOSES.has(token.name)) path.pop();
      if (value !== null && path.length === valueDepth) finishValue();
    },
    end: (): void => {
      if (!hasBegun) throw emptyFile(file);
      if (path.length > 0) {
        throw new PrepressError('IMPORT_CUT_OFF', `The export ${file} ends in the middle.`);
      }
      if (facts.version === null) {
        throw notAnExport(file, 'its meta.version is missing, or is not a version such as "5.0.0"');
      }
      if (facts.tables.size === 0) throw notAnExport(file, 'it holds no tables');
      if (!facts.tables.has('posts')) throw notAnExport(file, 'it has no list "posts"');
    },
  };
};

/** Moves to the next item when the path stands in an array. */
const countItem = (path: Step[]): void => {
  const last = path.at(-1);
  if (typeof last === 'number') path[path.length - 1] = last + 1;
};

/** The export is `{db: [{meta, data}]}` or `{meta, data}`; `data` maps tables to arrays of rows. */
const placeOf = (path: readonly Step[]): Place => {
  const start = path[0] === 'db' ? 2 : 0;
  if (start === 2 && path[1] !== 0) return 'elsewhere';
  const [first, , row] = path.slice(start, start + 3);
  const depth = path.length - start;
  if (first === 'meta' && depth === 1) return 'meta';
  if (first !== 'data') return 'elsewhere';
  if (depth === 2) return 'table';
  return depth === 3 && typeof row === 'number' ? 'row' : 'elsewhere';
};

type Meta = { readonly version?: unknown; readonly exported_on?: unknown };

const readMeta = ({ version, exported_on: at }: Meta, facts: ExportFacts): void => {
  // Converters write a number.
  const text = typeof version === 'number' ? String(version) : version;
  facts.version = typeof text === 'string' && VERSION.test(text) ? text : null;
  if (typeof at === 'number') facts.madeMs = at;
};
