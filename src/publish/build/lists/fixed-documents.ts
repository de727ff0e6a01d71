// The documents that are not made of records: the settings, the tiers in Ghost's shape, the error for what is not
// there, and the summary of the tree.
import { createHash } from 'node:crypto';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import {
  NOT_FOUND_FILE,
  SETTINGS_FILE,
  SUMMARY_FILE,
  TIERS_FILE,
} from '../../../content/paths/files.ts';
import { problemBody } from '../../../content/paths/problem-body.ts';
import { NOT_FOUND } from '../../../content/paths/problems.ts';
import { ENCODINGS, hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import type { Root } from '../../../content/tree/tree.ts';
import type { RenderSettings } from '../../../publication/documents/renderer.ts';
import { renderSettings } from '../../../publication/documents/settings-document.ts';
import { renderTiers, type TierRows } from '../../../publication/documents/tiers-document.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import { digestsOf } from '../fingerprint.ts';
import type { PassContext } from '../pass-context.ts';
import { putFile } from './put-file.ts';

/** The body of every 404 of the content interface; its id is null, so that it is always the same. */
export const NOT_FOUND_BODY = Buffer.from(problemBody(NOT_FOUND));

type FixedInput = {
  readonly render: RenderSettings;
  readonly fingerprint: string;
  readonly root: Root;
};

/** Writes the fixed documents that differ from before. */
export const buildFixedDocuments = async (
  context: PassContext,
  input: FixedInput,
): Promise<void> => {
  for (const [file, bytes] of siteDocuments(context.snapshot, input.render)) {
    if (bytes !== null) await put(context, file, bytes);
    else remove(context, file);
  }
  await put(context, NOT_FOUND_FILE, NOT_FOUND_BODY);
  await put(context, SUMMARY_FILE, summary(context, input));
};

/** The files of rows that are no records; null: there is no such file in this shape. */
export const siteDocuments = (
  snapshot: Pick<Snapshot, 'settings' | 'rows'>,
  render: RenderSettings,
): [file: string, bytes: Buffer | null][] => [
  [SETTINGS_FILE, renderSettings(snapshot.settings(), render)],
  [TIERS_FILE, render.ghost === undefined ? null : renderTiers(tierRows(snapshot))],
];

export const tierRows = (snapshot: Pick<Snapshot, 'rows'>): TierRows => ({
  tiers: snapshot.rows('tiers', 'all'),
  benefits: snapshot.rows('benefits', 'all'),
  links: snapshot.rows('tiers_benefits', 'all'),
});

const summary = ({ manifest }: PassContext, { fingerprint, root }: FixedInput): Buffer => {
  const counts = Object.fromEntries(RESOURCES.map((resource) => [resource, root[resource].total]));
  const names = manifest
    .storedSegments()
    .map(({ resource, slug, segment }) => ({ resource, slug, segment }))
    .sort((a, b) => (a.resource + a.segment < b.resource + b.segment ? -1 : 1));
  return Buffer.from(JSON.stringify({ fingerprint: digestsOf(fingerprint), counts, names }));
};

const put = async (context: PassContext, path: string, bytes: Buffer): Promise<void> => {
  const { session, manifest, isFull } = context;
  const sha256 = createHash('sha256').update(bytes).digest();
  if (!isFull && manifest.file(path)?.sha256.equals(sha256)) return;
  putFile(context, path, await session.writeFile([bytes]));
  if (isFull && hasSidecars(path)) removeOldSidecars(context, path);
};

const remove = ({ session, manifest, isFull }: PassContext, path: string): void => {
  const isThere = manifest.file(path) !== undefined;
  if (!isThere && (!isFull || session.leaves.kind === 'fresh')) return;
  session.remove(path);
  if (isThere) manifest.removeFile(path);
};

/** Those of encodings that an earlier build had. */
export const removeOldSidecars = ({ session, encodings }: PassContext, path: string): void => {
  const old = ENCODINGS.filter((encoding) => !encodings.includes(encoding));
  for (const encoding of old) session.remove(sidecarOf(path, encoding));
};
