// Renders every row again and compares with what the manifest has of it: an edit that no trigger logged shows in
// nothing else. What is logged and not built yet is left out. Writes nothing.
import { createHash } from 'node:crypto';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { createRenderer } from '../../../publication/documents/renderer.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { Finding } from '../../manifest/finding.ts';
import type { Manifest, RecordEntry } from '../../manifest/manifest.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { siteDocuments } from '../lists/fixed-documents.ts';
import type { OutputSettings } from '../output-settings.ts';
import { findTouched, type Touched } from '../plan.ts';
import { RecordEncoder } from '../render/record-encoder.ts';
import { renderRecords } from '../render/render-records.ts';
import { readBatch } from '../render/rendered-batch.ts';

type CompareInput = {
  readonly manifest: Pick<Manifest, 'entries' | 'file' | 'state'>;
  readonly snapshot: Snapshot;
  readonly settings: OutputSettings;
  readonly onRecord: () => void;
};

const CHUNK = 100;

export const compareRows = async (input: CompareInput): Promise<Finding[]> => {
  const waiting = await findWaiting(input);
  return [
    ...RESOURCES.flatMap((resource) => compareResource(input, resource, waiting)),
    ...compareSettings(input, waiting),
  ];
};

/** What differs for a reason that is known; null: of any row it may be another one than a missing trigger. */
export type Waiting = { readonly touched: Touched; readonly settings: boolean } | null;

export const findWaiting = async ({
  manifest,
  snapshot,
  settings,
}: Pick<CompareInput, 'manifest' | 'snapshot' | 'settings'>): Promise<Waiting> => {
  const state = manifest.state();
  const isLogEnough =
    state !== null &&
    snapshot.follows(state.position) &&
    state.fingerprint === fingerprintOf(settings);
  return isLogEnough ? findTouched(snapshot, state.position.seq) : null;
};

const compareResource = (input: CompareInput, resource: Resource, waiting: Waiting): Finding[] => {
  const { manifest, snapshot, settings, onRecord } = input;
  const findings: Finding[] = [];
  const keys = snapshot.keys(resource);
  const isLogged = (id: string): boolean => waiting?.touched[resource].has(id) === true;
  const tools = {
    snapshot,
    renderer: createRenderer(settings.render),
    encoder: new RecordEncoder(),
    // Compares only.
    leaves: { put: () => undefined, take: () => NOTHING },
  };
  for (let at = 0; at < keys.length; at += CHUNK) {
    const some = keys.slice(at, at + CHUNK);
    const entries = manifest.entries(
      resource,
      some.map(({ id }) => id),
    );
    // What is there on one side only was found already.
    const placed = some.flatMap(({ id }) => entries.get(id) ?? []);
    const batch = renderRecords(tools, { resource, keys: placed, earlier: entries });
    const rendered = readBatch(batch, placed);
    for (const { id, ms } of some) {
      onRecord();
      const entry = entries.get(id);
      const now = { ms, now: rendered.get(id)?.entry };
      const reason = entry === undefined || isLogged(id) ? null : differenceOf(entry, now, waiting);
      if (reason !== null) findings.push({ path: `${resource}/${id}`, reason });
    }
  }
  return findings;
};

const NOTHING = { written: 0, staged: [] };

type Now = { readonly ms: number; readonly now: RecordEntry | undefined };

const differenceOf = (entry: RecordEntry, { ms, now }: Now, waiting: Waiting): string | null => {
  if (now === undefined) return 'the row cannot be rendered any more';
  const isSame = entry.hashes.every((hash, at) => now.hashes[at]?.equals(hash) === true);
  const isPacked = entry.ms === ms && entry.pack.equals(now.pack);
  if (isSame && isPacked) return null;
  return waiting === null
    ? 'the row would be built otherwise now'
    : 'the row has changed and no trigger logged it; "prepress build --full" shows it';
};

const compareSettings = (
  { manifest, snapshot, settings }: CompareInput,
  waiting: Waiting,
): Finding[] => {
  if (waiting?.settings === true) return [];
  const other = siteDocuments(snapshot, settings.render).flatMap(([file, bytes]) => {
    const hash = bytes && createHash('sha256').update(bytes).digest();
    return hash === null || manifest.file(file)?.sha256.equals(hash) === true ? [] : [file];
  });
  const reason =
    waiting === null
      ? 'the settings would be built otherwise now'
      : 'the settings have changed and no trigger logged it';
  return other.map((path) => ({ path, reason }));
};
