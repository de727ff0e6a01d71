// Renders records and stages their files: each variant under the id and the slug, only where bytes or
// names differ from what the manifest says.
import { createHash } from 'node:crypto';
import { PrepressError } from '../base/errors.ts';
import type { RecordFragments } from '../documents/renderer.ts';
import type { RowProblem } from '../documents/row-problem.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import { fileIn, idFolder, slugFolder } from '../paths/files.ts';
import type { RecordEntry } from '../store/manifest.ts';
import type { SourceOf } from '../store/snapshot.ts';
import { openingOf, RECORD_CLOSING } from './list-bytes.ts';
import type { PassContext } from './pass-context.ts';
import type { PlacedKey } from './segments.ts';

export type Rendered = { readonly entry: RecordEntry; readonly fragments: RecordFragments };

type RenderInput = {
  readonly resource: Resource;
  readonly keys: readonly PlacedKey[];
  /** What the manifest has of a record; undefined when everything is written anyway. */
  readonly earlier: (id: string) => RecordEntry | undefined;
};

/** Renders the records in the order of `keys`; those that cannot be rendered go to `problems`. */
export const renderRecords = (context: PassContext, input: RenderInput): Map<string, Rendered> => {
  const { resource, keys } = input;
  const byId = new Map(keys.map((key) => [key.id, key]));
  const rendered = new Map<string, Rendered>();
  for (const source of context.snapshot.sources(resource, [...byId.keys()])) {
    const key = byId.get(idOf(source));
    if (key === undefined) continue;
    const fragments = tryRender(context, resource, source);
    if (fragments === null) continue;
    const entry = stage(context, input, { key, fragments });
    rendered.set(key.id, { entry, fragments });
  }
  context.onRendered(keys.length);
  return rendered;
};

const idOf = (source: SourceOf[Resource]): string =>
  'post' in source ? source.post.id : 'tag' in source ? source.tag.id : source.author.id;

const tryRender = (
  { renderer, problems }: PassContext,
  resource: Resource,
  source: SourceOf[Resource],
): RecordFragments | null => {
  try {
    if ('post' in source) return renderer.post(source);
    return 'tag' in source ? renderer.tag(source) : renderer.author(source);
  } catch (error) {
    if (!(error instanceof PrepressError) || error.code !== 'BUILD_INPUT_INVALID') {
      throw new Error(`Rendering ${resource} ${idOf(source)} failed.`, { cause: error });
    }
    problems.push(...(error.details as RowProblem[]));
    return null;
  }
};

const stage = (
  { session, isFull }: PassContext,
  { resource, earlier }: RenderInput,
  { key, fragments }: { readonly key: PlacedKey; readonly fragments: RecordFragments },
): RecordEntry => {
  const before = earlier(key.id);
  const opening = openingOf(resource);
  const folders = [idFolder(resource, key.id), slugFolder(resource, key.segment)];
  const hashes = SHAPES[resource].recordVariants.map((variant, at) => {
    const bytes = Buffer.concat([opening, fragments[at] as Buffer, RECORD_CLOSING]);
    const hash = createHash('sha256').update(bytes).digest();
    const isThere = before?.segment === key.segment && before.hashes[at]?.equals(hash);
    if (isFull || !isThere)
      session.putLeaf(
        folders.map((folder) => fileIn(folder, variant)),
        bytes,
      );
    return hash;
  });
  return { ...key, hashes, sizes: fragments.map((fragment) => fragment.length) };
};
