// Where templates cannot be rendered, pages keep what they showed, but for what was taken back since: the pages of records
// that are gone or became closed, and all others that are due and name them. They are gone until rendering works again.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAbsent } from '../../base/files/stat-key.ts';
import { openWrittenFiles } from '../../publish/output/copies/written-files.ts';
import { placePages } from '../../publish/output/pages/page-files.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import { findGatedIds, hasSite } from '../site/has-site.ts';
import { findDuePages } from '../site/site-state.ts';
import { findGeneration } from './emit-content.ts';
import { hasPlacedPages, lockPages, pageRecordOf, siteStateOf } from './place-rendered.ts';
import { siteRecordsIn } from './publication.ts';

/** Files that hold no text. */
const NO_TEXT =
  /\.(?:avif|br|gif|gz|ico|jpe?g|m4a|mov|mp[34]|og[gv]|otf|pdf|png|ttf|wasm|wav|web[mp]|woff2?|zip)$/i;

/** Throws OUTPUT_DIFFERS, OUTPUT_UNWRITABLE. */
export const takeBack = async (config: Config): Promise<void> => {
  if (!(await hasSite(config)) || !hasPlacedPages(config)) return;
  const lock = await lockPages(config);
  try {
    const folder = dataPathsOf(config).contentFolder;
    const root = realpathSync(dirname(folder));
    const record = pageRecordOf(config);
    const { generation, paths } = openWrittenFiles(record, root);
    const newest = findGeneration(config);
    if (generation >= newest) return;
    const { lost, closed, standing } = findDuePages({
      records: siteRecordsIn(folder),
      pictures: { folder, widths: config['images.sizes'] },
      gated: await findGatedIds(config),
      file: siteStateOf(config),
    });
    const gone = new Set([...lost, ...closed]);
    if (gone.size === 0) return;
    const named = [...gone].map((file) => `/${file.replace(/index\.html$/, '')}`);
    const textOf = (path: string): string => (paths.has(path) ? readText(join(root, path)) : '');
    const said = new Set([...gone].flatMap((path) => sayingsOf(textOf(path))));
    const others = [...paths].filter((path) => !standing.has(path) && !gone.has(path));
    const tells = new Map<string, 'address' | readonly string[]>();
    for (const path of others.filter((name) => !NO_TEXT.test(name))) {
      const text = textOf(path);
      const isNamed = named.some((address) => text.includes(address));
      tells.set(path, isNamed ? 'address' : [...rowsOf(text)].filter((row) => said.has(row)));
    }
    const only = new Set([...tells.values()].flatMap((rows) => (rows === 'address' ? [] : rows)));
    for (const path of standing) {
      if (only.size === 0) break;
      const text = gone.has(path) ? '' : textOf(path);
      // The neighbours' pages have the title with their links.
      if (!named.some((address) => text.includes(address)))
        for (const row of rowsOf(text)) only.delete(row);
    }
    const isKept = (path: string): boolean => {
      const rows = tells.get(path) ?? [];
      return !gone.has(path) && rows !== 'address' && !rows.some((row) => only.has(row));
    };
    const kept = [...paths].filter(isKept);
    if (kept.length === paths.size) return;
    const shown = { shown: generation, newest };
    await placePages({ root, record, pages: [], kept, generation: shown });
  } finally {
    lock.release();
  }
};

/** Empty where somebody removed the file. */
const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return '';
    throw error;
  }
};

/** So many words in a row are a text's own. */
const ROW = 4;

/** Scripts without spaces have a word for each character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

/** Of one word up to ROW, wherever they stand. */
function* rowsOf(text: string): Generator<string> {
  const words = wordsOf(text);
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= Math.min(from + ROW, words.length); to += 1) {
      yield words.slice(from, to).join(' ');
    }
  }
}

/** By what other files show a page without its address: its long rows, and what is shorter and stands alone, such as a title. */
const sayingsOf = (page: string): string[] => {
  const words = wordsOf(page);
  const long = words.slice(ROW - 1).map((_, at) => words.slice(at, at + ROW).join(' '));
  const short = page
    .split(/<[^<>]*>|["\n]/)
    .map((piece) => wordsOf(piece))
    .filter(({ length }) => length < ROW)
    .map((piece) => piece.join(' '))
    .filter((piece) => LETTERS.test(piece));
  return [...long, ...short];
};

/** Numbers are sizes more often than titles. */
const LETTERS = /\p{L}{3}/u;
