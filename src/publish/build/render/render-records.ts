// Renders records and writes their files: each variant under the id and the slug, only where bytes or
// names differ from what the manifest says. Runs in the build's thread and in its workers.
import { PrepressError } from '../../../base/errors.ts';
import { type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import { idFolder, slugFolder, variantFile } from '../../../content/paths/files.ts';
import { bytesOf } from '../../../publication/documents/html/byte-text.ts';
import type { RecordText, Renderer } from '../../../publication/documents/renderer.ts';
import type { RowProblem } from '../../../publication/documents/row-problem.ts';
import type { Snapshot, SourceOf } from '../../../publication/snapshot/snapshot.ts';
import type { RecordFileWriter } from '../../output/session/record-file-writer.ts';
import { packOf } from './pack-of.ts';
import { type EncodedVariant, openingOf, type RecordEncoder } from './record-encoder.ts';
import { BatchWriter, type Bytes, type RenderedBatch } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

export type RenderTools = {
  readonly snapshot: Snapshot;
  readonly renderer: Renderer;
  readonly encoder: RecordEncoder;
  readonly leaves: RecordFileWriter;
};

/** What the manifest has of a record; from another thread, hashes are no buffers. */
export type PreviousRecord = {
  readonly segment: string;
  readonly hashes: readonly Uint8Array[];
};

export type RenderTask = {
  readonly resource: Resource;
  /** The records to render, in the order of their list. */
  readonly keys: readonly Pick<PlacedKey, 'id' | 'segment'>[];
  /** What the manifest has of them; a record that is not here is written whatever it is like. */
  readonly earlier: ReadonlyMap<string, PreviousRecord>;
};

/** `used` are buffers of texts that may be filled again. */
export const renderRecords = (
  tools: RenderTools,
  task: RenderTask,
  used: readonly Bytes[] = [],
): RenderedBatch => {
  const { resource, keys } = task;
  const segments = new Map(keys.map(({ id, segment }) => [id, segment]));
  const variants = SHAPES[resource].recordVariants.length;
  const batch = new BatchWriter({ records: keys.length, variants }, used);
  const problems: RowProblem[] = [];
  for (const source of tools.snapshot.sources(resource, [...segments.keys()])) {
    const id = idOf(source);
    const segment = segments.get(id);
    if (segment === undefined) continue;
    const text = tryRender(tools.renderer, { source, problems });
    if (text !== null) write(tools, task, { id, segment, text, batch });
  }
  return batch.finish(problems);
};

const idOf = (source: SourceOf[Resource]): string =>
  'post' in source ? source.post.id : 'tag' in source ? source.tag.id : source.author.id;

type Attempt = { readonly source: SourceOf[Resource]; readonly problems: RowProblem[] };

const tryRender = (renderer: Renderer, { source, problems }: Attempt): RecordText | null => {
  try {
    if ('post' in source) return renderer.post(source);
    return 'tag' in source ? renderer.tag(source) : renderer.author(source);
  } catch (error) {
    // What concerns every record is no problem of this one.
    if (error instanceof PrepressError && error.code !== 'BUILD_INPUT_INVALID') throw error;
    const own = error instanceof PrepressError ? (error.details as RowProblem[]) : [];
    problems.push(...(own.length > 0 ? own : [unexpectedProblem(source, error)]));
    return null;
  }
};

/** Stands for the field in a problem that no check foresaw. */
export const UNEXPECTED = 'row';

const REASON_UNITS_MAX = 100;

const unexpectedProblem = (source: SourceOf[Resource], error: unknown): RowProblem => {
  const table = 'post' in source ? 'posts' : 'tag' in source ? 'tags' : 'users';
  const id = idOf(source);
  if (error instanceof RangeError && STACK.test(error.message)) {
    return { table, id, field: 'html', reason: 'is nested too deeply to be read' };
  }
  // The message may quote the row.
  const said = JSON.stringify(String(error)).slice(1, -1).slice(0, REASON_UNITS_MAX);
  return { table, id, field: UNEXPECTED, reason: `makes the program fail: ${said}` };
};

const STACK = /call stack/i;

type RenderedText = {
  readonly id: string;
  readonly segment: string;
  readonly text: RecordText;
  readonly batch: BatchWriter;
};

const write = (
  { encoder, leaves }: RenderTools,
  { resource, earlier }: RenderTask,
  { id, segment, text, batch }: RenderedText,
): void => {
  const before = earlier.get(id);
  const isPlaced = before?.segment === segment;
  const folders = [idFolder(resource, id), slugFolder(resource, segment)];
  const names = SHAPES[resource].recordVariants;
  batch.startRecord(id);
  encoder.encode(openingOf(resource), text, (encoded) => {
    const { variant, file, hash } = encoded;
    if (variant === 0) appendRecord(batch, text, encoded);
    batch.append(variant, encoded);
    const known = before?.hashes[variant];
    if (isPlaced && known !== undefined && hash.equals(known)) return;
    leaves.put(folders, variantFile(names[variant] ?? ''), file);
  });
};

const appendRecord = (
  batch: BatchWriter,
  { facts, plain }: RecordText,
  { record, body, hash }: EncodedVariant,
): void => {
  const part = { record, body, facts: Buffer.from(JSON.stringify(facts)), plain: bytesOf(plain) };
  const isGated = 'isGated' in facts && facts.isGated;
  const shown = record.subarray(...body);
  batch.appendRecord(part, packOf({ ...part, hash, shown, isGated }));
};
