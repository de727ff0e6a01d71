// Slugs that stand under another name, as nginx finds them.
import type { HostSite, StoredName } from '../host.ts';

/** nginx keeps the length of a literal location in one byte. */
const LITERAL_BYTES_MAX = 255;

/** The path of a record's folder, by its slug or by the name that this is stored under. */
export const storedFolder = (
  { basePath }: Pick<HostSite, 'basePath'>,
  { resource }: StoredName,
  name: string,
): string => `${basePath}/content/${resource}/slug/${name}/`;

/** Whether a location of its own can hold it. */
export const isShort = (site: Pick<HostSite, 'basePath'>, name: StoredName): boolean =>
  Buffer.byteLength(storedFolder(site, name, name.slug)) <= LITERAL_BYTES_MAX;
