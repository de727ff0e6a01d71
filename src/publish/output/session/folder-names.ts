// The folders of many names of the tree. Joining and splitting the paths of tens of thousands of names would take long:
// a name in the folder of the name before is passed over.
import { dirname, join } from 'node:path';

export class FolderNames {
  readonly folders = new Set<string>();
  readonly #root: string;
  /** Calls alternate between a record's two names. */
  #last = '';
  #earlier = '';

  constructor(root: string) {
    this.#root = root;
  }

  add(name: string): void {
    const end = name.lastIndexOf('/');
    if (isIn(this.#last, name, end) || isIn(this.#earlier, name, end)) return;
    const folder = name.slice(0, Math.max(0, end));
    this.folders.add(end === -1 ? this.#root : `${this.#root}/${folder}`);
    this.#earlier = this.#last;
    this.#last = folder;
  }
}

/** The folders above those of names. */
export class ParentNames {
  readonly #root: string;
  readonly #folders: Set<string>;
  #last = '';

  constructor(root: string, folders: Set<string>) {
    this.#root = root;
    this.#folders = folders;
  }

  add(name: string): void {
    const end = name.lastIndexOf('/', name.lastIndexOf('/') - 1);
    if (end > 0 && isIn(this.#last, name, end)) return;
    this.#last = end > 0 ? name.slice(0, end) : '';
    this.#folders.add(dirname(dirname(join(this.#root, name))));
  }
}

const isIn = (folder: string, name: string, end: number): boolean =>
  end === folder.length && name.startsWith(folder);
