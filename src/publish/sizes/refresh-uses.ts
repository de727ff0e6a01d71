// Brings the uses of pictures up to date with what a build is about to show: all records, or those that its plan names.
import { setImmediate as tick } from 'node:timers/promises';
import { RESOURCES, type Resource } from '../../content/paths/endpoints.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import type { Plan } from '../build/plan.ts';
import { usesOfRecord, usesOfSettings } from './picture-uses.ts';
import type { SizesIndex } from './sizes-index.ts';

type Refresh = {
  readonly index: SizesIndex;
  readonly snapshot: Snapshot;
  /** Addresses of the site, without a slash at the end. */
  readonly sites: readonly string[];
  /** No picture is to have sizes. */
  readonly isOff: boolean;
};

/** Records that are read in one tick of the event loop. */
const PART = 50;

/** Returns the pictures whose sizes may be other ones; a plan that is null: all records are looked at. */
export const refreshUses = async (
  refresh: Refresh,
  plan: (Plan & { readonly kind: 'incremental' }) | null,
): Promise<Set<string>> => {
  const { index, snapshot, isOff } = refresh;
  if (plan === null || isOff) return refreshAll(refresh);
  const paths = new Set<string>();
  for (const resource of RESOURCES) {
    const ids = [...plan.touched[resource]];
    const shown = new Set(snapshot.keysOf(resource, ids).map(({ id }) => id));
    const hidden = ids.filter((id) => !shown.has(id));
    for (const id of hidden) add(paths, index.setUses(`${resource}:${id}`, []));
    await refreshRecords(refresh, { resource, ids: [...shown] }, paths);
  }
  if (plan.settings) refreshSettings(refresh, paths);
  return paths;
};

/** Until it ends, the index says that the uses are not all found. */
const refreshAll = async (refresh: Refresh): Promise<Set<string>> => {
  const { index, snapshot, isOff } = refresh;
  index.setAsked('');
  const paths = new Set(index.paths());
  index.dropUses();
  if (isOff) return paths;
  for (const resource of RESOURCES) {
    const ids = snapshot.keys(resource).map(({ id }) => id);
    await refreshRecords(refresh, { resource, ids }, paths);
  }
  refreshSettings(refresh, paths);
  return paths;
};

const refreshRecords = async (
  { index, snapshot, sites }: Refresh,
  { resource, ids }: { readonly resource: Resource; readonly ids: readonly string[] },
  paths: Set<string>,
): Promise<void> => {
  for (let at = 0; at < ids.length; at += PART) {
    if (at > 0) await tick();
    const sources = snapshot.sources(resource, ids.slice(at, at + PART));
    index.inOne(() => {
      for (const source of sources) {
        const { id, uses } = usesOfRecord(resource, source, sites);
        add(paths, index.setUses(`${resource}:${id}`, uses));
      }
    });
  }
};

const refreshSettings = ({ index, snapshot, sites }: Refresh, paths: Set<string>): void =>
  add(paths, index.setUses('settings', usesOfSettings(snapshot.settings(), sites)));

const add = (paths: Set<string>, more: readonly string[]): void => {
  for (const path of more) paths.add(path);
};
