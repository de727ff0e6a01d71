// Builds what a plan names, resource by resource.
import { findStrays } from '../emit/strays.ts';
import { RESOURCES, type Resource } from '../paths/endpoints.ts';
import type { ManifestState } from '../store/manifest.ts';
import { type PassContext, takeTurn } from './pass-context.ts';
import type { Plan } from './plan.ts';
import { buildAll, buildKnown, buildSome } from './resource-pass.ts';

type Planned = {
  readonly plan: Plan;
  /** Of before. */
  readonly state: ManifestState | null;
  readonly root: string;
  /** Somebody asked for everything to be looked at. */
  readonly isFullAsked: boolean;
};

/** Stages what differs; in a tree that is not known all that stands and belongs to nothing is to be removed. */
export const buildPlanned = async (
  context: PassContext,
  { plan, state, root, isFullAsked }: Planned,
): Promise<void> => {
  if (plan.kind === 'incremental') {
    await sideBySide((resource) => buildSome(context, resource, plan.touched[resource]));
    return;
  }
  if (plan.isTreeKnown) {
    await sideBySide((resource) => buildKnown(context, resource));
    return;
  }
  context.manifest.clear();
  const passes = await sideBySide((resource) => buildAll(context, resource));
  if (context.session.leaves.kind === 'fresh') return;
  for (const [resource, standingOf] of passes) {
    const isKnown = !isFullAsked && state !== null && state.root === root;
    const standing = { ...standingOf(), encodings: context.encodings, isKnown };
    const strays = findStrays(root, resource, standing);
    for (const name of strays) context.session.remove(name);
  }
};

/**
 * Every resource at once, so that no thread waits while another one's order is worked out. Posts begin, since
 * their lists take longest. None is at work when it throws.
 */
const sideBySide = async <Result>(
  pass: (resource: Resource) => Promise<Result>,
): Promise<Map<Resource, Result>> => {
  const running = new Map<Resource, Promise<Result>>();
  for (const resource of [...RESOURCES].reverse()) {
    const result = pass(resource);
    // It is heard of below, when all have ended.
    result.catch(() => undefined);
    running.set(resource, result);
    await takeTurn();
  }
  await Promise.allSettled(running.values());
  const results = new Map<Resource, Result>();
  for (const resource of RESOURCES) results.set(resource, (await running.get(resource)) as Result);
  return results;
};
