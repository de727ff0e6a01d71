// The pictures that an import brings along: copied from a content folder, or fetched from a site, where rows name them.
import { PrepressError } from '../../base/errors.ts';
import { counted, shown } from '../../base/text/counted.ts';
import { type CopyReport, copyImages, findImages } from '../../publication/import/images/images.ts';
import type { NamedFiles } from '../../publication/import/images/named-files.ts';
import { isGhostAddress, siteOfAddress } from '../../publication/sources/ghost-address/address.ts';
import { isAddress } from '../../publication/sources/source-name.ts';
import { findSetting, SAMPLE_SETTING } from '../../publication/store/content/settings.ts';
import { bringMedia } from '../../publish/cycle/media.ts';
import { placeAllSizes } from '../../publish/sizes/make-sizes.ts';
import { fetchImagesFrom, findNamedImages } from './fetch-images.ts';
import type { Report } from './report.ts';
import type { Workspace } from './workspace.ts';

export type Brought = CopyReport & { readonly placed: number };

type ImagesInput = {
  /** A folder, or an address. */
  readonly from: string;
  readonly siteUrl: string | undefined;
  readonly workspace: Workspace;
  readonly report: Report;
};

/** Throws IMPORT_UNREADABLE or USAGE, before anything was read. */
export const checkImages = async (from: string): Promise<void> => {
  if (isGhostAddress(from)) siteOfAddress(from);
  else if (isAddress(from)) throw noSite(from);
  else await findImages(from);
};

/** The rest of an address may hold a password. */
const noSite = (from: string): PrepressError => {
  const begins = from.slice(0, from.indexOf('://') + 3);
  const sentence = `Pictures come from a folder, or from an address that begins with http:// or https://, got one that begins with ${begins}.`;
  return new PrepressError('USAGE', sentence);
};

/** `rows` of an import as JSON; of an import without rows, those of the publication. */
export const bringImages = async (
  input: ImagesInput,
  rows?: Iterable<string>,
): Promise<Brought> => {
  const { from, workspace, report } = input;
  const { paths } = workspace;
  report.endProgress();
  const printProgress = ({ copied, unchanged }: Pick<CopyReport, 'copied' | 'unchanged'>): void =>
    report.progress({
      done: 0,
      total: 0,
      text: `${counted(copied, 'file')} copied, ${shown(unchanged)} unchanged`,
    });
  const { brought, media } = await bringMedia(paths, () =>
    isGhostAddress(from)
      ? fetchImages(input, rows, printProgress)
      : copyImages(from, paths.media, printProgress),
  );
  const left = await shareBrought(workspace, rows);
  await placeAllSizes(workspace);
  report.endProgress();
  return { ...brought, skipped: [...brought.skipped, ...left], placed: media.placed };
};

/**
 * A server that runs beside this program finds the files placed already, and does not look for what the bucket lacks. The
 * sample's drawings, which go with its rows, are yet to be removed: `replacingSample` has the rest put there after that.
 */
const shareBrought = async (
  { store, bucket }: Workspace,
  rows: Iterable<string> | undefined,
): Promise<CopyReport['skipped']> => {
  const isSampleLeaving = rows !== undefined && (await findSetting(store, SAMPLE_SETTING)) !== null;
  return isSampleLeaving ? [] : ((await bucket?.addRest(true)) ?? []);
};

const fetchImages = async (
  { from, siteUrl, workspace }: ImagesInput,
  rows: Iterable<string> | undefined,
  onFile: (counts: Pick<CopyReport, 'copied' | 'unchanged'>) => void,
): Promise<CopyReport> => {
  const found = await findNamedImages(workspace, { from, siteUrl, rows });
  const report = await fetchImagesFrom(workspace, { from, paths: found.paths, onFile });
  const skipped = [...skippedNames(found), ...report.skipped];
  return { ...report, skipped };
};

const skippedNames = ({ refused, left }: NamedFiles): CopyReport['skipped'] => [
  ...[...refused].map((path) => ({ path, reason: 'has a name that cannot be kept' })),
  ...(left() === 0
    ? []
    : [{ path: 'the rest', reason: 'is more than one run looks at (images.files)' }]),
];
