// Says which builds would hold the event loop: those that render, pack or list long bodies, each of which is one step.
import { LONG_BODY_BYTES } from '../../base/limits.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { isEmptyPlan, type Plan } from './plan.ts';
import { readInParts } from './read-in-parts.ts';
import { CHUNK_RECORDS } from './render/pass-work.ts';

type Input = {
  readonly plan: Plan;
  readonly snapshot: Pick<Snapshot, 'longestBodies'>;
  readonly manifest: Pick<Manifest, 'longest'>;
};

/** Bodies that are rendered in one step. */
const CHUNK_BYTES_MAX = 1024 * 1024;
/** A blob that an edit may write again: longer ones hold a long record. */
const BLOB_BYTES_MAX = 2 * 1024 * 1024;
/** A list that an edit may write again. */
const LIST_BYTES_MAX = 16 * 1024 * 1024;

export const isLongBuild = async ({ plan, snapshot, manifest }: Input): Promise<boolean> => {
  if (isEmptyPlan(plan)) return false;
  const { blobBytes, fileBytes } = manifest.longest();
  if (blobBytes > BLOB_BYTES_MAX || fileBytes > LIST_BYTES_MAX) return true;
  const bodies = (await longestOf(plan, snapshot)).sort((one, other) => other - one);
  const chunk = bodies.slice(0, CHUNK_RECORDS).reduce((sum, bytes) => sum + bytes, 0);
  return (bodies[0] ?? 0) > LONG_BODY_BYTES || chunk > CHUNK_BYTES_MAX;
};

const longestOf = async (plan: Plan, snapshot: Input['snapshot']): Promise<number[]> => {
  if (plan.kind === 'full') return snapshot.longestBodies('all', CHUNK_RECORDS);
  const { posts, pages } = plan.touched;
  return readInParts(new Set([...posts, ...pages]), (part) =>
    snapshot.longestBodies(part, CHUNK_RECORDS),
  );
};
