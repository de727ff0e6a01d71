// What conditions, orders and answers ask of the records of a resource: collections (posts, pages) and terms (tags,
// authors) each answer in their own way. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { Range, Reader, Segment } from '../tree/columns.ts';
import { decodeJson } from '../tree/decode-chunk.ts';
import type { Facets } from '../tree/decode-columns.ts';
import type { Names, Root, TermKeys } from '../tree/tree.ts';
import type { TreeStore } from '../tree/tree-store.ts';
import type { OrderField } from './order.ts';
import type { TermsName } from './resource.ts';

export type Tree = { readonly store: TreeStore; readonly root: Root };

/** Positions count from the newest record, or in the order of names. */
export type Source = Tree & {
  readonly total: number;
  /** In ascending order. */
  readonly lookUp: (column: 'id' | 'slug', value: string) => Promise<number[]>;
  readonly texts: (range: Range) => Promise<Segment<Names | TermKeys>[]>;
  readonly numbers: (field: OrderField, range: Range) => Promise<Reader<number>>;
  /** Of collections alone. */
  readonly facets: (range: Range) => Promise<Segment<Facets>[]>;
  /** How many records are newer than a time; or newer, or of that time. Of collections alone. */
  readonly countNewer: (ms: number, isInclusive: boolean) => Promise<number>;
  /** The records with commas between them. */
  readonly write: (positions: readonly number[]) => Promise<Uint8Array[]>;
};

export const readTermKeys = (tree: Tree, family: TermsName): Promise<TermKeys> =>
  tree.store.get<TermKeys>(tree.root[family].keys, decodeJson);

/** How many posts each has, in the order of names. */
export const readTermCounts = (tree: Tree, family: TermsName): Promise<readonly number[]> =>
  tree.store.get<number[]>(tree.root[family].counts, decodeJson);
