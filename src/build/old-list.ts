// Where the fragments of an earlier list stand in its files. Records that were not touched keep their
// order, so one walk through the old order finds them all.
import { join } from 'node:path';
import type { ByteRange } from '../emit/list-file.ts';
import type { ListVariant, Resource } from '../paths/endpoints.ts';
import { listFile } from '../paths/files.ts';
import type { OrderEntry } from '../store/manifest.ts';
import { openingOf } from './list-bytes.ts';

type OldListInput = {
  readonly root: string;
  readonly resource: Resource;
  readonly variant: ListVariant;
  readonly order: readonly OrderEntry[];
  readonly limit: number | undefined;
};

export class OldList {
  readonly #input: OldListInput;
  readonly #openingBytes: number;
  #at = 0;
  #listed = 0;
  #offset = 0;
  #file = '';

  constructor(input: OldListInput) {
    this.#input = input;
    this.#openingBytes = openingOf(input.resource).length;
  }

  /** The place of a record's fragment; records must be asked for in the order of the list. */
  find(id: string): ByteRange {
    const { order, variant } = this.#input;
    for (;;) {
      const entry = order[this.#at];
      if (entry === undefined) throw new Error(`The earlier list does not hold ${id}.`);
      this.#at += 1;
      if (variant.publicOnly && !entry.isPublic) continue;
      const range = this.#advance(entry.sizes[variant.record] ?? 0);
      if (entry.id === id) return range;
    }
  }

  #advance(size: number): ByteRange {
    const { root, resource, variant, limit } = this.#input;
    const isNewPage = limit === undefined ? this.#listed === 0 : this.#listed % limit === 0;
    if (isNewPage) {
      const page = limit === undefined ? 1 : Math.floor(this.#listed / limit) + 1;
      this.#file = join(root, listFile(resource, variant.name, page));
      this.#offset = this.#openingBytes;
    }
    const start = this.#offset;
    this.#listed += 1;
    this.#offset = start + size + 1;
    return { file: this.#file, start, end: start + size };
  }
}
