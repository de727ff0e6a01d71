// The packed tree of one build: what stood before, and what each resource's pass has made of it.
import type { Resource } from '../../../content/paths/endpoints.ts';
import type { PackedTerm, RecordEdit } from '../../../content/tree/records.ts';
import { type Root, TREE_FORMAT } from '../../../content/tree/tree.ts';
import type { Blobs } from '../../packed/blobs.ts';
import type { Levels } from '../../packed/boundaries.ts';
import { editCollection } from '../../packed/edit-collection.ts';
import { CollectionPacker, EMPTY_COLLECTION } from '../../packed/pack-collection.ts';
import { editTerms, packTerms, type TermEdit } from '../../packed/pack-terms.ts';
import type { TreeBlobs } from './tree-blobs.ts';

export type CollectionResource = Extract<Resource, 'posts' | 'pages'>;
export type TermResource = Extract<Resource, 'tags' | 'authors'>;

type Input = {
  readonly blobs: TreeBlobs;
  readonly levels: Levels;
  /** The tree that is to be edited; null: everything is packed. */
  readonly before: Root | null;
  /** The setting lists.max. */
  readonly max: number;
  /** Lines of embedded tiers, in Ghost's shape; null: in the other one. */
  readonly tiers: readonly string[] | null;
};

export class TreePacker {
  readonly blobs: TreeBlobs;
  readonly levels: Levels;
  readonly before: Root | null;
  readonly #max: number;
  readonly #tiers: readonly string[] | null;
  readonly #made: Partial<Root> = {};

  constructor({ blobs, levels, before, max, tiers }: Input) {
    this.blobs = blobs;
    this.levels = levels;
    this.before = before;
    this.#max = max;
    this.#tiers = tiers;
  }

  /** Takes all records of a collection, the oldest first; `finish` puts them in the place of what stood. */
  start(resource: CollectionResource): Pick<CollectionPacker, 'add'> & { finish: () => void } {
    const packer = new CollectionPacker(this.blobs.of(resource), this.levels);
    return {
      add: (record) => packer.add(record),
      finish: () => this.#set({ [resource]: packer.finish() }),
    };
  }

  /** Throws OUTPUT_DIFFERS when the tree is not the one that was written. */
  edit(resource: CollectionResource, edits: readonly RecordEdit[]): void {
    const standing = this.#made[resource] ?? this.before?.[resource] ?? EMPTY_COLLECTION;
    this.#set({ [resource]: editCollection(this.toolsOf(resource), standing, edits) });
  }

  setTerms(resource: TermResource, terms: readonly PackedTerm[]): void {
    this.#set({ [resource]: packTerms(this.toolsOf(resource), terms) });
  }

  /** Throws OUTPUT_DIFFERS. */
  editTerms(resource: TermResource, edits: readonly TermEdit[]): void {
    const standing = this.#made[resource] ?? this.before?.[resource];
    if (standing !== undefined)
      this.#set({ [resource]: editTerms(this.toolsOf(resource), standing, edits) });
    else
      this.setTerms(
        resource,
        edits.flatMap(({ after }) => after ?? []),
      );
  }

  root(): Root {
    const part = <R extends Resource>(resource: R, empty: () => Root[R]): Root[R] =>
      (this.#made[resource] as Root[R] | undefined) ?? this.before?.[resource] ?? empty();
    return {
      format: TREE_FORMAT,
      max: this.#max,
      ...this.#tierPart(),
      posts: part('posts', () => EMPTY_COLLECTION),
      pages: part('pages', () => EMPTY_COLLECTION),
      tags: part('tags', () => packTerms(this.toolsOf('tags'), [])),
      authors: part('authors', () => packTerms(this.toolsOf('authors'), [])),
    };
  }

  #tierPart(): Pick<Root, 'tiers'> {
    const { drop, put } = this.blobs.of('posts');
    for (const [name] of this.before?.tiers?.embedded ?? []) drop(name);
    const lines = this.#tiers;
    if (lines === null) return {};
    const name = put(Buffer.from(lines.join('\n')), '.txt');
    return { tiers: { embedded: [[name, lines.length]] } };
  }

  toolsOf(resource: Resource): { readonly blobs: Blobs; readonly levels: Levels } {
    return { blobs: this.blobs.of(resource), levels: this.levels };
  }

  #set(part: Partial<Root>): void {
    Object.assign(this.#made, part);
  }
}
