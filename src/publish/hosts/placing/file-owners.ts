// Which hosts each placed file was written for: what was written for one is not replaced by what another needs, and goes
// when the last of those goes that need the same. Files that were removed since belong to nobody. A record beside the
// database, with paths relative to it (absolute ones are understood); one that cannot be read counts as empty.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import { readJsonFile } from '../../../base/files/read-json.ts';
import { writeWhole } from '../../../base/files/write-whole.ts';
import { addTo } from '../../../base/group-by.ts';

export type FileOwners = {
  /** Throws FILE_EXISTS where a file of another host stands. */
  readonly check: (host: string, files: readonly Claimed[]) => void;
  readonly claim: (host: string, files: readonly Claimed[]) => void;
  /** The first host that the file at an absolute path was written for. */
  readonly ownerOf: (path: string) => string | undefined;
  /** Absolute paths of the files that were written for a host alone. */
  readonly filesOf: (host: string) => string[];
  /** Nothing is the host's any more. */
  readonly release: (host: string) => void;
  /** Files in a folder that were written for other hosts than these, relative to it, by host. */
  readonly others: (folder: string, hosts: readonly string[]) => ReadonlyMap<string, string[]>;
};

/** With an absolute path. */
type Claimed = { readonly path: string; readonly text: string };

export const openFileOwners = (dataFolder: string): FileOwners => {
  const file = join(dataFolder, 'host-owners.json');
  return {
    check: (host, files) => {
      const owners = readStanding(file);
      for (const { path, text } of files) {
        const [owner = host, ...more] = owners.get(path) ?? [];
        if ([owner, ...more].includes(host) || readFileSync(path, 'utf8') === text) continue;
        throw new PrepressError(
          'FILE_EXISTS',
          `${path} was written for ${owner}, and ${host} needs another of this name.`,
          {
            hint: `Name one of the two in the setting hosts, and run "prepress hosts remove" with the other; or write elsewhere with "prepress hosts write ${host} --to FOLDER".`,
          },
        );
      }
    },
    claim: (host, files) => {
      const owners = readStanding(file);
      for (const { path } of files) {
        owners.set(path, [...new Set([...(owners.get(path) ?? []), host])]);
      }
      save(file, owners);
    },
    ownerOf: (path) => readStanding(file).get(path)?.[0],
    filesOf: (host) =>
      [...readStanding(file)].flatMap(([path, owners]) => (owners.join() === host ? [path] : [])),
    release: (host) => {
      const owners = [...readStanding(file)].map(
        ([path, all]) => [path, all.filter((one) => one !== host)] as const,
      );
      save(file, new Map(owners.filter(([, all]) => all.length > 0)));
    },
    others: (folder, hosts) => {
      const found = new Map<string, string[]>();
      for (const [path, owners] of readStanding(file)) {
        const name = relative(folder, path);
        const [owner = ''] = owners;
        if (name.startsWith('..') || owners.some((one) => hosts.includes(one))) continue;
        addTo(found, owner, name);
      }
      return found;
    },
  };
};

/** Names of hosts have no space. */
const SEPARATOR = ' ';

const readStanding = (file: string): Map<string, string[]> => {
  const owners = readJsonFile(z.record(z.string(), z.string()), file) ?? {};
  return new Map(
    Object.entries(owners)
      .map(([name, all]) => [resolve(dirname(file), name), all.split(SEPARATOR)] as const)
      .filter(([path]) => existsSync(path)),
  );
};

const save = (file: string, owners: ReadonlyMap<string, readonly string[]>): void => {
  const named = [...owners].map(
    ([path, all]) => [relative(dirname(file), path), all.join(SEPARATOR)] as const,
  );
  const text = `${JSON.stringify(Object.fromEntries(named))}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeWhole(file, text);
};
