// What a host's limits are about: how many files the tree has, how large, and how many stand in a folder.
import { RESOURCES, type Resource } from '../paths/endpoints.ts';
import type { Manifest } from '../store/manifest.ts';

export type TreeFigures = {
  readonly files: number;
  readonly bytes: number;
  readonly largest: { readonly path: string; readonly bytes: number };
  readonly folder: { readonly path: string; readonly entries: number };
  readonly records: Readonly<Record<Resource, number>>;
};

/** Counts what the manifest knows; images and pages for people are not in it. */
export const treeFiguresOf = (manifest: Manifest): TreeFigures => {
  let files = 0;
  let bytes = 0;
  let largest = { path: '', bytes: 0 };
  for (const file of manifest.allFiles()) {
    files += 1;
    bytes += file.size;
    if (file.size > largest.bytes) largest = { path: file.path, bytes: file.size };
  }
  const records = Object.fromEntries(
    RESOURCES.map((resource) => [resource, manifest.count(resource)]),
  ) as Record<Resource, number>;
  const fullest = RESOURCES.reduce((one, other) => (records[other] > records[one] ? other : one));
  const folder = { path: `content/${fullest}/slug`, entries: records[fullest] };
  return { files, bytes, largest, folder, records };
};
