// Writes one host's files: makes them, checks the host's limits, and only then places them.
import { join } from 'node:path';
import { placeHostFiles } from '../emit/host-files.ts';
import { checkLimits, type LimitLine, limitLines } from './check-limits.ts';
import type { Host, HostSite } from './host.ts';
import type { TreeFigures } from './tree-figures.ts';

export type WriteHostInput = {
  readonly host: Host;
  readonly site: HostSite;
  readonly tree: TreeFigures;
  /** Folder beside the database, for the record and for files that are not served. */
  readonly dataFolder: string;
  /** Where to write instead of the host's own place. */
  readonly to?: string;
};

export type WriteHostReport = {
  readonly host: string;
  readonly folder: string;
  readonly files: readonly string[];
  /** The files that were not there in the same bytes. */
  readonly written: readonly string[];
  readonly limits: readonly LimitLine[];
  readonly lacks: readonly string[];
};

/** Throws VALIDATION for limits, FILE_EXISTS for somebody else's file, OUTPUT_UNWRITABLE for the disk. */
export const writeHost = async (input: WriteHostInput): Promise<WriteHostReport> => {
  const { host, site, tree, dataFolder } = input;
  const files = await host.files(site);
  const limits = limitLines(host, files, tree);
  checkLimits(host, limits);
  const folder = input.to ?? placeOf(host, site, dataFolder);
  const written = placeHostFiles({
    root: folder,
    record: join(dataFolder, 'host-files.json'),
    files,
  });
  return {
    host: host.name,
    folder,
    files: files.map(({ path }) => path),
    written,
    limits,
    lacks: host.lacks(site),
  };
};

/** Rules that no reader needs to see lie beside the database. */
const placeOf = (host: Host, site: HostSite, dataFolder: string): string =>
  host.place === 'output' ? site.output : join(dataFolder, 'hosts', host.name);
