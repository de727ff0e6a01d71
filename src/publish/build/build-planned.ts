// Builds what a plan names, resource by resource.
import { setImmediate as tick } from 'node:timers/promises';
import { RESOURCES, type Resource } from '../../content/paths/endpoints.ts';
import type { ManifestState } from '../manifest/manifest.ts';
import { findOrphanedFiles } from '../output/stale/orphaned-files.ts';
import type { PassContext } from './pass-context.ts';
import type { Plan } from './plan.ts';
import { buildAll, buildSome, type Pass } from './render/resource-pass.ts';

type Planned = {
  /** Of before. */
  readonly state: ManifestState | null;
  readonly root: string;
  /** Somebody asked for everything to be looked at. */
  readonly isFullAsked: boolean;
};

/** Stages the records' files that differ, and packs the records. Says what each resource's lists may hold anew. */
export const buildPlanned = async (
  context: PassContext,
  plan: Plan,
): Promise<ReadonlyMap<Resource, Pass>> => {
  if (plan.kind === 'incremental') {
    return sideBySide((resource) => buildSome(context, resource, plan.touched[resource]));
  }
  if (context.isFull) context.manifest.clearFiles();
  return sideBySide((resource) => buildAll(context, resource));
};

/** In a tree that is not known, removes all that stands and belongs to nothing. */
export const removeOrphanFiles = (
  context: PassContext,
  passes: ReadonlyMap<Resource, Pass>,
  { state, root, isFullAsked }: Planned,
): void => {
  const { session, manifest, encodings, isFull } = context;
  if (!isFull || session.leaves.kind === 'fresh') return;
  const listNames = new Set([...manifest.files()].map(({ path }) => path));
  const isKnown = !isFullAsked && state !== null && state.root === root;
  for (const [resource, { standing }] of passes) {
    const names = { ...standing(), listNames, encodings, isKnown };
    for (const name of findOrphanedFiles(root, resource, names)) session.remove(name);
  }
};

/**
 * Every resource at once, so that no thread waits while another one's order is worked out. Posts come last: theirs takes
 * longest, and threads have the others to render meanwhile. None is at work when it throws.
 */
const sideBySide = async <Result>(
  pass: (resource: Resource) => Promise<Result>,
): Promise<Map<Resource, Result>> => {
  const running = new Map<Resource, Promise<Result>>();
  for (const resource of RESOURCES) {
    const result = pass(resource);
    // It is heard of below, when all have ended.
    result.catch(() => undefined);
    running.set(resource, result);
    await tick();
  }
  await Promise.allSettled(running.values());
  const results = new Map<Resource, Result>();
  for (const resource of RESOURCES) results.set(resource, (await running.get(resource)) as Result);
  return results;
};
