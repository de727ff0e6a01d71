// Where templates cannot be rendered, pages keep what they showed, but for what was taken back since: the pages of records
// that are gone or became closed, and all others that are due and name them or show their words. They are gone until rendering
// works again.
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
import { findTelling } from './telling-files.ts';

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
    const { lost, closed, standing, said } = findDuePages({
      records: siteRecordsIn(folder),
      pictures: { folder, widths: config['images.sizes'] },
      gated: await findGatedIds(config),
      file: siteStateOf(config),
    });
    const gone = new Set([...lost, ...closed]);
    if (gone.size === 0) return;
    const textOf = (path: string): string =>
      paths.has(path) ? readText(join(root, path)) : (said[path] ?? '');
    const telling = findTelling({ paths, gone, standing, textOf });
    const kept = [...paths].filter((path) => !gone.has(path) && !telling.has(path));
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
