// Compares the rows that a source has in one table with those that were last taken, by ids and hashes. Both come in
// the order of their ids, in blocks that an id ends, so that equal stretches are passed over as texts and memory does
// not grow with the table.
import { PrepressError } from '../../base/errors.ts';
import { parseId } from '../import/intake/normalise-row.ts';
import type { RowHash } from '../sources/source.ts';
import type { Difference, FollowedBlock } from '../store/import/difference.ts';
import { readBlock } from '../store/import/followed.ts';

/** Of ids without such an end, blocks are cut by number, from the last end on. */
const BLOCK_ROWS_MAX = 4_096;

/** One id in 256: neither its place nor what came before decides. */
const endsBlock = (id: string): boolean => id.endsWith('00');

type TableComparison = {
  readonly table: string;
  /** What was last taken. */
  readonly taken: AsyncIterable<FollowedBlock>;
  readonly difference: Difference;
  /** Every row counts as changed. */
  readonly isAll: boolean;
};

export type Compared = {
  /** Rows of the source, and how many of them had been taken before. */
  readonly rows: number;
  readonly known: number;
};

export class TableComparer {
  readonly #table: string;
  readonly #difference: Difference;
  readonly #isAll: boolean;
  readonly #taken: TakenRows;
  #block: RowHash[] = [];
  #last: string | null = null;
  #rows = 0;
  #known = 0;

  constructor({ table, taken, difference, isAll }: TableComparison) {
    this.#table = table;
    this.#difference = difference;
    this.#isAll = isAll;
    this.#taken = new TakenRows(taken, (upto) => difference.add('dropped', table, [upto]));
  }

  /** Further rows of the source. */
  async take(rowHashes: readonly RowHash[]): Promise<void> {
    for (const row of rowHashes) {
      // A file can hold one id as a text and as bytes: the two are read as rows of one id.
      if (row.id === this.#last) continue;
      if (this.#last !== null && row.id < this.#last) throw outOfOrder(this.#table);
      this.#last = row.id;
      this.#block.push(row);
      if (endsBlock(row.id) || this.#block.length >= BLOCK_ROWS_MAX) await this.#close();
    }
  }

  /** After all rows; `isWhole`: what did not come is gone from the source. */
  async finish(isWhole: boolean): Promise<Compared> {
    if (this.#block.length > 0) await this.#close();
    const gone: string[] = [];
    for (;;) {
      const row = await this.#taken.peek();
      if (row === null) break;
      gone.push(row.id);
      this.#taken.pass();
      if (gone.length === BLOCK_ROWS_MAX) this.#goes(gone.splice(0));
    }
    this.#goes(gone);
    if (!isWhole) this.#difference.doubt(this.#table);
    return { rows: this.#rows, known: this.#known };
  }

  #goes(ids: readonly string[]): void {
    this.#difference.add('gone', this.#table, ids.map(ourId));
  }

  async #close(): Promise<void> {
    const block = this.#block;
    this.#block = [];
    this.#rows += block.length;
    const rows = JSON.stringify(block.flatMap(({ id, hash }) => [id, hash]));
    const upto = block.at(-1)?.id ?? '';
    if (!this.#isAll && (await this.#taken.passBlock(rows))) {
      this.#known += block.length;
      return;
    }
    const changed: string[] = [];
    const gone: string[] = [];
    for (const { id, hash } of block) {
      let before = await this.#taken.peek();
      while (before !== null && before.id < id) {
        gone.push(before.id);
        this.#taken.pass();
        before = await this.#taken.peek();
      }
      const isKnown = before?.id === id;
      if (isKnown) {
        this.#taken.pass();
        this.#known += 1;
      }
      if (this.#isAll || !isKnown || before?.hash !== hash) changed.push(id);
    }
    this.#difference.add('changed', this.#table, changed.map(ourId));
    this.#goes(gone);
    this.#difference.addBlock(this.#table, { upto, rows });
  }
}

/** Blocks have the ids of the source, which may write one in another way. */
const ourId = (id: string): string => parseId(id) ?? id;

const outOfOrder = (table: string): PrepressError =>
  new PrepressError('INTERNAL', `The source gave rows of ${table} out of the order of their ids.`);

/** Goes through what was last taken, by whole blocks or, once one is opened, by its rows. */
class TakenRows {
  readonly #blocks: AsyncIterator<FollowedBlock>;
  readonly #onOpened: (upto: string) => void;
  #block: FollowedBlock | null = null;
  #isEnded = false;
  /** Alternating ids and hashes of the block that is open. */
  #rows: readonly string[] | null = null;
  #at = 0;

  constructor(blocks: AsyncIterable<FollowedBlock>, onOpened: (upto: string) => void) {
    this.#blocks = blocks[Symbol.asyncIterator]();
    this.#onOpened = onOpened;
  }

  /** Passes over the next block if it has exactly these rows, and none is open. */
  async passBlock(rows: string): Promise<boolean> {
    if (this.#rows !== null || (await this.#next())?.rows !== rows) return false;
    this.#block = null;
    return true;
  }

  async peek(): Promise<RowHash | null> {
    if (this.#rows === null) {
      const block = await this.#next();
      if (block === null) return null;
      this.#onOpened(block.upto);
      this.#rows = readBlock(block);
      this.#at = 0;
    }
    return { id: this.#rows[this.#at] ?? '', hash: this.#rows[this.#at + 1] ?? '' };
  }

  pass(): void {
    this.#at += 2;
    if (this.#rows === null || this.#at < this.#rows.length) return;
    this.#rows = null;
    this.#block = null;
  }

  async #next(): Promise<FollowedBlock | null> {
    if (this.#block !== null || this.#isEnded) return this.#block;
    const { value, done } = await this.#blocks.next();
    this.#isEnded = done === true;
    this.#block = done === true ? null : value;
    return this.#block;
  }
}
