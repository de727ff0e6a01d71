// Renders records and writes their files: each variant under the id and the slug, only where bytes or
// names differ from what the manifest says. Runs in the build's thread and in its workers.
import { PrepressError } from '../base/errors.ts';
import type { RecordText, Renderer } from '../documents/renderer.ts';
import type { RowProblem } from '../documents/row-problem.ts';
import type { LeafWriter } from '../emit/leaf-writer.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import { fileIn, idFolder, slugFolder } from '../paths/files.ts';
import type { Snapshot, SourceOf } from '../store/snapshot.ts';
import type { EarlierRecord } from './earlier-records.ts';
import { openingOf } from './list-bytes.ts';
import type { RecordEncoder } from './record-encoder.ts';
import { BatchWriter, type Bytes, type RenderedBatch } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

export type RenderTools = {
  readonly snapshot: Snapshot;
  readonly renderer: Renderer;
  readonly encoder: RecordEncoder;
  readonly leaves: LeafWriter;
};

export type RenderTask = {
  readonly resource: Resource;
  /** The records to render, in the order of their list. */
  readonly keys: readonly Pick<PlacedKey, 'id' | 'segment'>[];
  /** What the manifest has of them; a record that is not here is written whatever it is like. */
  readonly earlier: ReadonlyMap<string, EarlierRecord>;
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
    if (error instanceof RangeError) {
      const reason = 'it is nested too deeply to be read';
      problems.push({ table: 'posts', id: idOf(source), field: 'html', reason });
      return null;
    }
    if (!(error instanceof PrepressError) || error.code !== 'BUILD_INPUT_INVALID') {
      throw new Error(`Rendering record ${idOf(source)} failed.`, { cause: error });
    }
    problems.push(...(error.details as RowProblem[]));
    return null;
  }
};

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
    batch.append(variant, encoded);
    if (isPlaced && before.hashes[variant]?.equals(hash) === true) return;
    leaves.put(
      folders.map((folder) => fileIn(folder, names[variant] ?? '')),
      file,
    );
  });
};
