// Takes back what was written for a host: its files, wherever they are, and the copies that no other host reads.
import { join } from 'node:path';
import { type RemovedFiles, removeHostFiles } from '../../output/copies/host-files.ts';
import { hasTreeCopies, placeTreeCopies } from '../../output/copies/tree-copies.ts';
import { RECORDS } from '../../output/copies/written-files.ts';
import type { Host, HostSite } from '../host.ts';
import { openFileOwners } from './file-owners.ts';

export type RemoveHostInput = {
  readonly host: Host;
  readonly site: Pick<HostSite, 'output' | 'basePath'>;
  readonly dataFolder: string;
  /** Whether something else asks for `index.html` copies. */
  readonly keepsCopies: boolean;
};

export type RemoveHostReport = RemovedFiles & {
  readonly host: string;
  /** How many copies were removed. */
  readonly copies: number;
};

/** The caller holds the hosts' lock. Throws OUTPUT_UNWRITABLE for the disk. */
export const removeHost = async (input: RemoveHostInput): Promise<RemoveHostReport> => {
  const { host, site, dataFolder, keepsCopies } = input;
  const owners = openFileOwners(dataFolder);
  const files = owners.filesOf(host.name);
  const taken = removeHostFiles(join(dataFolder, RECORDS.hosts), files);
  owners.release(host.name);
  const place = {
    root: site.output,
    content: `${site.basePath}/content`.slice(1),
    record: join(dataFolder, RECORDS.copies),
  };
  const isLast = host.copies !== undefined && !keepsCopies && hasTreeCopies(place);
  const copies = isLast ? (await placeTreeCopies({ ...place, copies: [] })).removed : 0;
  return { host: host.name, ...taken, copies };
};
