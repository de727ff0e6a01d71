// Gives the disk its work while more is written; otherwise it would stand still and then be waited for.
import type { Durability } from '../../../base/files/durability.ts';

/** After that many names. */
const BEGIN_EVERY = 20_000;

export class BackgroundSync {
  readonly #durability: Durability;
  readonly #folder: string;
  #written = 0;
  #begun = 0;
  #beginning: Promise<void> | null = null;

  /** Of what is written below `folder`. */
  constructor(durability: Durability, folder: string) {
    this.#durability = durability;
    this.#folder = folder;
  }

  /** So many names more were written. */
  add(count: number): void {
    this.#written += count;
    if (this.#beginning !== null || this.#written - this.#begun < BEGIN_EVERY) return;
    this.#begun = this.#written;
    // It promises nothing, so nothing is heard of one that fails: the last sync is the one that counts.
    this.#beginning = this.#durability
      .beginTree(this.#folder)
      .catch(() => undefined)
      .finally(() => {
        this.#beginning = null;
      });
  }

  /** Resolves when none is under way. */
  async settle(): Promise<void> {
    await this.#beginning;
  }
}
