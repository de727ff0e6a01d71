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

/** Files whose text may name a page. */
const TEXT = /\.(?:html|xml|rss|atom|json|txt|md)$/;

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
    const textOf = (path: string): string => readTextIn(join(root, path));
    const placed = (all: Iterable<string>): string[] => [...all].filter((path) => paths.has(path));
    const only = findOnly(
      placed(gone).map(textOf),
      placed(standing).filter((path) => !gone.has(path)),
      textOf,
    );
    const tells = (path: string): boolean => {
      if (standing.has(path) || !TEXT.test(path)) return false;
      const text = textOf(path);
      return (
        named.some((address) => text.includes(address)) ||
        piecesOf(text).some((piece) => only.has(piece))
      );
    };
    const kept = [...paths].filter((path) => !gone.has(path) && !tells(path));
    if (kept.length === paths.size) return;
    const shown = { shown: generation, newest };
    await placePages({ root, record, pages: [], kept, generation: shown });
  } finally {
    lock.release();
  }
};

/** Empty where somebody removed the file. */
const readTextIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return '';
    throw error;
  }
};

/** What the pages that go say, and no page that stands does: by it, templates of a project show them without their address. */
const findOnly = (
  texts: readonly string[],
  standing: readonly string[],
  textOf: (path: string) => string,
): ReadonlySet<string> => {
  const only = new Set(texts.flatMap(piecesOf));
  for (const path of only.size > 0 ? standing : []) {
    for (const piece of piecesOf(textOf(path))) only.delete(piece);
  }
  return only;
};

const PIECE_CHARACTERS = { min: 4, max: 40 };

/** Beginnings of what stands between tags, quotes and ends of lines. */
const piecesOf = (text: string): string[] =>
  text
    .split(/<[^<>]*>|["\n]|\\[n"]/)
    .map((piece) => piece.trim().slice(0, PIECE_CHARACTERS.max))
    .filter((piece) => piece.length >= PIECE_CHARACTERS.min);
