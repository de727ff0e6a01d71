// Pictures and other files that rows name below the address of their site, and how they are fetched from there with the
// limits of the settings.
import { parseAllowList } from '../../base/net/addresses.ts';
import { fetchFiles } from '../../publication/import/images/fetch-files.ts';
import type { CopyReport } from '../../publication/import/images/images.ts';
import { createFileFinder, type NamedFiles } from '../../publication/import/images/named-files.ts';
import { isGhostAddress, siteOfAddress } from '../../publication/sources/ghost-address/address.ts';
import { rowsAsJson } from '../../publication/store/import/rows-as-json.ts';
import type { Workspace } from './workspace.ts';

const NAMING = ['posts', 'posts_meta', 'tags', 'users', 'settings', 'newsletters'] as const;

const MEGABYTE = 1_000_000;

/** Names are kept in memory; it is more where more files may be fetched. */
const NAMES_MAX = 1_000_000;

type NamedInput = {
  /** A folder, or an address. */
  readonly from: string;
  readonly siteUrl?: string | undefined;
  /** As JSON; absent: those of the publication. */
  readonly rows?: Iterable<string> | undefined;
};

export const findNamedImages = async (
  { config, store }: Pick<Workspace, 'config' | 'store'>,
  { from, siteUrl, rows }: NamedInput,
): Promise<NamedFiles> => {
  const site = isGhostAddress(from) ? siteOfAddress(from) : undefined;
  const sites = [site, siteUrl, config.siteUrl].flatMap((url) => url?.replace(/\/$/, '') ?? []);
  const finder = createFileFinder({ sites, filesMax: Math.max(NAMES_MAX, config['images.files']) });
  for await (const row of rows ?? rowsAsJson(store, NAMING)) finder.read(row);
  return finder.found;
};

type FetchInput = {
  /** An address. */
  readonly from: string;
  readonly paths: Iterable<string>;
  readonly onFile?: (counts: Pick<CopyReport, 'copied' | 'unchanged'>) => void;
};

/** Nobody else copies into the media folder meanwhile. Throws OUTPUT_UNWRITABLE. */
export const fetchImagesFrom = (
  { config, paths: { media } }: Pick<Workspace, 'config' | 'paths'>,
  { from, paths, onFile }: FetchInput,
): Promise<CopyReport> =>
  fetchFiles({
    from: siteOfAddress(from),
    paths,
    to: media,
    guard: { allow: parseAllowList(config.webhookAllow) },
    limits: {
      fileBytesMax: config['images.fileMegabytes'] * MEGABYTE,
      bytesMax: config['images.megabytes'] * MEGABYTE,
      filesMax: config['images.files'],
    },
    ...(onFile && { onFile }),
  });
