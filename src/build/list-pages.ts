// Writes one variant of a list, page by page: fresh fragments as bytes, the others copied from the
// earlier list in runs as long as they stand together.
import type { ByteRange } from '../emit/list-file.ts';
import type { ListVariant, Resource } from '../paths/endpoints.ts';
import { listFile } from '../paths/files.ts';
import { COMMA, listClosing, openingOf, pagesOf } from './list-bytes.ts';

/** Where a list goes: straight to the disk, or into a script. */
export type ListSink<File> = {
  readonly append: (bytes: Buffer) => void;
  readonly copy: (range: ByteRange) => void;
  readonly finish: () => File;
  readonly close: () => void;
};

type ListPagesInput<File> = {
  readonly open: () => ListSink<File>;
  /** Longer runs are copied in parts: one would keep the event loop waiting. */
  readonly runBytesMax: number;
  readonly resource: Resource;
  readonly variant: ListVariant;
  readonly total: number;
  readonly limit: number | undefined;
};

export type ListPage<File> = { readonly name: string; readonly file: File };

export class ListPages<File> {
  readonly variant: ListVariant;
  readonly #input: ListPagesInput<File>;
  readonly #done: ListPage<File>[] = [];
  #file: ListSink<File>;
  #page = 1;
  #listed = 0;
  #run: ByteRange | null = null;
  #needsComma = false;

  constructor(input: ListPagesInput<File>) {
    this.variant = input.variant;
    this.#input = input;
    this.#file = this.#open();
  }

  /** A fragment, as the part that variants share and its own end. */
  append(shared: Buffer, end: Buffer): void {
    this.#startEntry();
    this.#endRun();
    this.#separate();
    this.#file.append(shared);
    this.#file.append(end);
  }

  copy(range: ByteRange): void {
    this.#startEntry();
    const run = this.#run;
    const isNext = run !== null && run.file === range.file && run.end + 1 === range.start;
    if (isNext && run.end - run.start < this.#input.runBytesMax) {
      this.#run = { ...run, end: range.end };
      return;
    }
    this.#endRun();
    this.#run = range;
  }

  finish(): ListPage<File>[] {
    this.#closePage();
    return this.#done;
  }

  /** Lets go of the page that is open, finished or not. */
  close(): void {
    this.#file.close();
  }

  #open(): ListSink<File> {
    const file = this.#input.open();
    file.append(openingOf(this.#input.resource));
    this.#needsComma = false;
    return file;
  }

  #startEntry(): void {
    const { limit } = this.#input;
    if (limit !== undefined && this.#listed > 0 && this.#listed % limit === 0) {
      this.#closePage();
      this.#page += 1;
      this.#file = this.#open();
    }
    this.#listed += 1;
  }

  #separate(): void {
    if (this.#needsComma) this.#file.append(COMMA);
    this.#needsComma = true;
  }

  #endRun(): void {
    if (this.#run === null) return;
    this.#separate();
    this.#file.copy(this.#run);
    this.#run = null;
  }

  #closePage(): void {
    const { resource, total, limit } = this.#input;
    this.#endRun();
    this.#file.append(listClosing({ page: this.#page, total, limit }));
    const name = listFile(resource, this.variant.name, this.#page);
    this.#done.push({ name, file: this.#file.finish() });
  }
}

/** Names of all pages of a list of `total` records. */
export const pageNames = (
  resource: Resource,
  variant: string,
  { total, limit }: { readonly total: number; readonly limit: number | undefined },
): string[] =>
  Array.from({ length: pagesOf(total, limit) }, (_, at) => listFile(resource, variant, at + 1));
