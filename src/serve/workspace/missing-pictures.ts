// Pictures and other files that records name below the address of the site and that are not there: looked for by `verify` and
// after an import, and kept for `status`. A size whose original is there is not absent.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { counted, shown } from '../../base/text/counted.ts';
import { formsOf } from '../../base/text/unicode-forms.ts';
import { originalOf } from '../../content/paths/files.ts';
import { findNamedImages } from './fetch-images.ts';
import type { Report } from './report.ts';
import type { Workspace } from './workspace.ts';

const SHOWN_MAX = 5;

const stored = z.strictObject({
  checked_at: z.string(),
  count: z.int(),
  first: z.array(z.string()).optional(),
});

/** Paths such as images/2026/01/a.png; none where no media folder says that pictures are kept here. */
export const findMissingPictures = async (workspace: Workspace): Promise<string[]> => {
  const { paths, useCases } = workspace;
  if (!existsSync(paths.media)) return [];
  const { siteUrl } = await useCases.site();
  const named = await findNamedImages(workspace, { from: '', siteUrl });
  const isThere = (name: string): boolean =>
    [paths.media, paths.contentFolder].some((folder) =>
      formsOf(name).some((form) => isFile(join(folder, form))),
    );
  const isNamedOnce = (path: string): boolean =>
    originalOf(path) === path || !named.paths.has(originalOf(path));
  const absent = [...named.paths].filter(
    (path) => isNamedOnce(path) && !isThere(path) && !isThere(originalOf(path)),
  );
  absent.sort();
  const kept = {
    checked_at: new Date().toISOString(),
    count: absent.length,
    ...(absent.length > 0 && { first: absent.slice(0, SHOWN_MAX) }),
  };
  writeWhole(fileOf(workspace), `${JSON.stringify(kept)}\n`);
  return absent;
};

/** What was found last; null: nobody looked. */
export const readMissingPictures = (
  workspace: Pick<Workspace, 'paths'>,
): z.output<typeof stored> | null => readJsonFile(stored, fileOf(workspace));

export const printMissingPictures = (report: Report, absent: readonly string[]): void => {
  if (absent.length === 0) return;
  const first = absent.slice(0, SHOWN_MAX).map((path) => `content/${path}`);
  const left = absent.length - SHOWN_MAX;
  const more = left > 0 ? ` and ${shown(left)} more` : '';
  report.print(
    `Warning: records name ${counted(absent.length, 'missing file')}: ${first.join(', ')}${more}. "prepress import --images FROM" brings them from a folder or site that has them, and "prepress verify" lists all.`,
  );
};

const fileOf = ({ paths }: Pick<Workspace, 'paths'>): string =>
  join(dirname(paths.manifest), 'missing-pictures.json');

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;
