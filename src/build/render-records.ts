// Renders records and writes their files: each variant under the id and the slug, only where bytes or
// names differ from what the manifest says. Runs in the build's thread and in its workers.
import { createHash } from 'node:crypto';
import { PrepressError } from '../base/errors.ts';
import type { RecordFragments, Renderer } from '../documents/renderer.ts';
import type { RowProblem } from '../documents/row-problem.ts';
import type { LeafWriter } from '../emit/leaf-writer.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import { fileIn, idFolder, slugFolder } from '../paths/files.ts';
import type { RecordEntry } from '../store/manifest.ts';
import type { Snapshot, SourceOf } from '../store/snapshot.ts';
import { openingOf, RECORD_CLOSING } from './list-bytes.ts';
import type { PlacedKey } from './segments.ts';

export type Rendered = { readonly entry: RecordEntry; readonly fragments: RecordFragments };

export type RenderTools = {
  readonly snapshot: Snapshot;
  readonly renderer: Renderer;
  readonly leaves: LeafWriter;
};

export type RenderTask = {
  readonly resource: Resource;
  /** The records to render, in the order of their list. */
  readonly keys: readonly PlacedKey[];
  /** What the manifest has of them; a record that is not here is written whatever it is like. */
  readonly earlier: ReadonlyMap<string, RecordEntry>;
};

export type RenderResult = {
  readonly rendered: ReadonlyMap<string, Rendered>;
  /** Rows that cannot be rendered; the build fails when there are any. */
  readonly problems: readonly RowProblem[];
};

export const renderRecords = (tools: RenderTools, task: RenderTask): RenderResult => {
  const byId = new Map(task.keys.map((key) => [key.id, key]));
  const rendered = new Map<string, Rendered>();
  const problems: RowProblem[] = [];
  for (const source of tools.snapshot.sources(task.resource, [...byId.keys()])) {
    const key = byId.get(idOf(source));
    if (key === undefined) continue;
    const fragments = tryRender(tools.renderer, { source, problems });
    if (fragments !== null) {
      const entry = write(tools.leaves, task, { key, fragments });
      rendered.set(key.id, { entry, fragments });
    }
  }
  return { rendered, problems };
};

const idOf = (source: SourceOf[Resource]): string =>
  'post' in source ? source.post.id : 'tag' in source ? source.tag.id : source.author.id;

type Attempt = { readonly source: SourceOf[Resource]; readonly problems: RowProblem[] };

const tryRender = (renderer: Renderer, { source, problems }: Attempt): RecordFragments | null => {
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

const write = (
  leaves: LeafWriter,
  { resource, earlier }: RenderTask,
  { key, fragments }: { readonly key: PlacedKey; readonly fragments: RecordFragments },
): RecordEntry => {
  const before = earlier.get(key.id);
  const opening = openingOf(resource);
  const folders = [idFolder(resource, key.id), slugFolder(resource, key.segment)];
  const hashes = SHAPES[resource].recordVariants.map((variant, at) => {
    const bytes = Buffer.concat([opening, fragments[at] as Buffer, RECORD_CLOSING]);
    const hash = createHash('sha256').update(bytes).digest();
    const isThere = before?.segment === key.segment && before.hashes[at]?.equals(hash) === true;
    if (!isThere)
      leaves.put(
        folders.map((folder) => fileIn(folder, variant)),
        bytes,
      );
    return hash;
  });
  return { ...key, hashes, sizes: fragments.map((fragment) => fragment.length) };
};
