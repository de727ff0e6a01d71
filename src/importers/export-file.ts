// Streams a Ghost export: rows of every table, in the order of the file, one at a time and never the
// whole. Tells apart a file that is no export from one that was cut off. Knows nothing of the tables.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import Assembler from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { PrepressError } from '../base/errors.ts';

export type ExportHandlers = {
  /** A table begins; it may have no rows. */
  readonly onTable: (table: string) => void;
  readonly onRow: (table: string, row: unknown) => void;
  /** Bytes that were read, of all of the file. */
  readonly onRead?: (bytes: number, totalBytes: number) => void;
};

/**
 * Reads `file` to its end. Throws IMPORT_UNREADABLE, IMPORT_NOT_AN_EXPORT or IMPORT_CUT_OFF; rows were
 * handed out by then, so the caller keeps them aside until this returns.
 */
export const readExportFile = async (file: string, handlers: ExportHandlers): Promise<void> => {
  const walk = createWalk(file, handlers);
  const parse = jsonParser({ packValues: true, streamValues: false });
  let isFirst = true;
  for await (const chunk of readText(file, handlers)) {
    const text = isFirst && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk;
    isFirst = false;
    for (const token of parseChunk(file, parse, text)) walk.take(token);
  }
  walk.end();
};

async function* readText(file: string, { onRead }: ExportHandlers): AsyncGenerator<string> {
  try {
    const totalBytes = onRead === undefined ? 0 : (await stat(file)).size;
    const stream = createReadStream(file, { encoding: 'utf8' });
    for await (const chunk of stream) {
      yield chunk as string;
      onRead?.(stream.bytesRead, totalBytes);
    }
  } catch (cause) {
    throw new PrepressError('IMPORT_UNREADABLE', `The file ${file} cannot be read.`, { cause });
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

const notAnExport = (file: string, why: string, cause?: unknown): PrepressError =>
  new PrepressError('IMPORT_NOT_AN_EXPORT', `The file ${file} is not a Ghost export: ${why}.`, {
    cause,
  });

type Place = 'meta' | 'table' | 'row' | 'elsewhere';
type Step = string | number;

/** Values nested deeper than any export has. */
const DEPTH_MAX = 100;
const VERSION = /^v?\d+\.\d+\.\d+/;

const OPENS: ReadonlySet<string> = new Set(['startObject', 'startArray']);
const CLOSES: ReadonlySet<string> = new Set(['endObject', 'endArray']);

const createWalk = (file: string, handlers: ExportHandlers) => {
  /** Where the next value stands: keys and indexes from the top. */
  const path: Step[] = [];
  let version: unknown;
  let tables = 0;
  let hasBegun = false;
  let value: Assembler | null = null;
  let valueDepth = 0;

  const finishValue = (): void => {
    const { current } = value as Assembler;
    value = null;
    if (placeOf(path) === 'meta') version = readVersion(current);
    else handlers.onRow(String(path.at(-2)), current);
  };
  const openValue = (token: Token): void => {
    const place = placeOf(path);
    if (place === 'table' && token.name === 'startArray') {
      tables += 1;
      handlers.onTable(String(path.at(-1)));
    } else if (token.name === 'startObject' && (place === 'meta' || place === 'row')) {
      value = new Assembler();
      valueDepth = path.length;
    } else if (place === 'row') handlers.onRow(String(path.at(-2)), null);
  };
  return {
    take: (token: Token): void => {
      if (!hasBegun && token.name !== 'startObject') {
        throw notAnExport(file, 'it does not hold an object');
      }
      hasBegun = true;
      if (token.name === 'keyValue') path[path.length - 1] = token.value;
      const isValue = token.name !== 'keyValue' && !CLOSES.has(token.name);
      if (isValue) {
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
      if (!hasBegun) throw notAnExport(file, 'it is empty');
      if (path.length > 0) {
        throw new PrepressError('IMPORT_CUT_OFF', `The export ${file} ends in the middle.`);
      }
      if (typeof version !== 'string' || !VERSION.test(version)) {
        throw notAnExport(file, 'it does not say which version of Ghost wrote it');
      }
      if (tables === 0) throw notAnExport(file, 'it holds no tables');
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

const readVersion = (meta: unknown): unknown =>
  typeof meta === 'object' && meta !== null && 'version' in meta ? meta.version : undefined;
