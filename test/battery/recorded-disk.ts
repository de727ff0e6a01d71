// A disk as a list of operations: what a program did to the files of a folder, recorded by strace with
// every byte, can be played back up to any moment, with any of the operations left out that no sync had
// made durable by then. That is what a power cut may leave. The rules are stricter than most file systems:
// a sync of a file says nothing of its name, and what was not synced may be lost in any combination.
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

type Inode = number;

type EntryChange = { readonly folder: Inode; readonly name: string; readonly inode: Inode | null };

export type Op =
  | { readonly kind: 'entries'; readonly changes: readonly EntryChange[] }
  | { readonly kind: 'write'; readonly inode: Inode; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly inode: Inode; readonly size: number }
  | { readonly kind: 'sync'; readonly inode: Inode | null }
  /** Bytes that reached the program's standard output. */
  | { readonly kind: 'said'; readonly text: string };

type Folder = Map<string, Inode>;

export type Disk = {
  readonly folders: Map<Inode, Folder>;
  readonly files: Map<Inode, Buffer>;
};

const ROOT: Inode = 0;

/** Reads a folder as it is, hard links kept. */
export const readDisk = (folder: string): Disk => {
  const disk: Disk = { folders: new Map([[ROOT, new Map()]]), files: new Map() };
  const read = (path: string, inode: Inode): void => {
    for (const name of readdirSync(path)) {
      const child = join(path, name);
      const stat = lstatSync(child);
      disk.folders.get(inode)?.set(name, stat.ino);
      if (stat.isDirectory()) {
        disk.folders.set(stat.ino, new Map());
        read(child, stat.ino);
      } else {
        disk.files.set(stat.ino, readFileSync(child));
      }
    }
  };
  read(folder, ROOT);
  return disk;
};

const copyDisk = ({ folders, files }: Disk): Disk => ({
  folders: new Map([...folders].map(([inode, entries]) => [inode, new Map(entries)])),
  files: new Map(files),
});

const applyOp = (disk: Disk, op: Op): void => {
  if (op.kind === 'entries') {
    for (const { folder, name, inode } of op.changes) {
      if (inode === null) disk.folders.get(folder)?.delete(name);
      else disk.folders.get(folder)?.set(name, inode);
    }
  } else if (op.kind === 'write') {
    const old = disk.files.get(op.inode) ?? Buffer.alloc(0);
    const grown = Buffer.alloc(Math.max(old.length, op.at + op.bytes.length));
    old.copy(grown);
    op.bytes.copy(grown, op.at);
    disk.files.set(op.inode, grown);
  } else if (op.kind === 'cut') {
    const cut = Buffer.alloc(op.size);
    disk.files.get(op.inode)?.copy(cut);
    disk.files.set(op.inode, cut);
  }
};

/** The operations before `moment` that a power cut may lose, by their places. */
export const listUnsynced = (ops: readonly Op[], moment: number): number[] => {
  let open: number[] = [];
  for (let at = 0; at < moment; at += 1) {
    const op = ops[at] as Op;
    if (op.kind === 'sync') {
      open = open.filter((place) => op.inode !== null && !isOf(ops[place] as Op, op.inode));
    } else if (op.kind !== 'said') {
      open.push(at);
    }
  }
  return open;
};

const isOf = (op: Op, inode: Inode): boolean => {
  if (op.kind === 'entries') return op.changes.some(({ folder }) => folder === inode);
  return (op.kind === 'write' || op.kind === 'cut') && op.inode === inode;
};

/** Writes into `target` what a power cut at `moment` leaves when the `lost` operations are. */
export const writeCrashState = (
  { start, ops, made }: Recording,
  { moment, lost }: { readonly moment: number; readonly lost: ReadonlySet<number> },
  target: string,
): void => {
  const disk = copyDisk(start);
  for (const inode of made.folders) disk.folders.set(inode, new Map());
  for (const inode of made.files) disk.files.set(inode, Buffer.alloc(0));
  for (let at = 0; at < moment; at += 1) if (!lost.has(at)) applyOp(disk, ops[at] as Op);
  writeFolder(disk, target);
};

const writeFolder = ({ folders, files }: Disk, target: string): void => {
  const written = new Map<Inode, string>();
  const write = (inode: Inode, path: string): void => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (const [name, child] of folders.get(inode) ?? []) {
      const place = join(path, name);
      if (folders.has(child)) {
        write(child, place);
      } else if (!name.endsWith('-shm')) {
        const other = written.get(child);
        if (other === undefined) writeFileSync(place, files.get(child) ?? '', { mode: 0o600 });
        else linkSync(other, place);
        written.set(child, other ?? place);
      }
    }
  };
  write(ROOT, target);
};

export type Recording = {
  readonly start: Disk;
  readonly ops: readonly Op[];
  /** What came into being meanwhile. */
  readonly made: { readonly folders: readonly Inode[]; readonly files: readonly Inode[] };
};

/** Reads a trace (`strace -f -y -xx`) of a program that worked in `folder`, which held `start` before. */
export const parseRecording = (trace: string, folder: string, start: Disk): Recording => {
  const recorder = new Recorder(folder, start);
  const begun = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (rest.endsWith(' <unfinished ...>')) {
      begun.set(thread, rest.slice(0, -' <unfinished ...>'.length));
      continue;
    }
    const [, resumed] = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest) ?? [];
    const call = resumed === undefined ? rest : `${begun.get(thread) ?? ''}${resumed}`;
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/s.exec(call) ?? [];
    if (name !== '' && !result.startsWith('-')) recorder.take(name, args, Number(result));
  }
  return { start, ops: recorder.ops, made: recorder.made };
};

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const stringsOf = (args: string): Buffer[] =>
  [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decode(hex));
const descriptorsOf = (args: string): string[] =>
  [...args.matchAll(/\b\d+<((?:\\x[0-9a-f]{2})*)>/g)].map(([, hex = '']) => decode(hex).toString());

class Recorder {
  readonly ops: Op[] = [];
  readonly made = { folders: [] as Inode[], files: [] as Inode[] };
  readonly #folder: string;
  readonly #disk: Disk;
  /** What comes into being while recording has a number below zero. */
  #next: Inode = -1;

  constructor(folder: string, start: Disk) {
    this.#folder = folder;
    this.#disk = copyDisk(start);
  }

  take(name: string, args: string, result: number): void {
    const paths = stringsOf(args).map((path) => resolve(this.#folder, path.toString()));
    const [first = '', second = ''] = paths;
    if (name.startsWith('open')) this.#open(first, args);
    else if (name.startsWith('mkdir')) this.#make(first, true);
    else if (name.startsWith('rename')) this.#rename(first, second);
    else if (name.startsWith('link')) this.#link(first, second);
    else if (name.startsWith('unlink') || name === 'rmdir') this.#unlink(first);
    else this.#change(name, args, result);
  }

  #change(name: string, args: string, result: number): void {
    const [path = ''] = descriptorsOf(args);
    if (/^1</.test(args) && name === 'write') {
      this.#add({ kind: 'said', text: Buffer.concat(stringsOf(args)).toString() });
      return;
    }
    if (name === 'syncfs') this.#add({ kind: 'sync', inode: null });
    const inode = this.#find(path);
    if (inode === undefined) return;
    const size = this.#disk.files.get(inode)?.length ?? 0;
    if (name === 'fsync' || name === 'fdatasync') this.#add({ kind: 'sync', inode });
    if (name === 'ftruncate') this.#add({ kind: 'cut', inode, size: lastNumber(args) });
    if (!/^p?write(?:v|64)?$/.test(name)) return;
    const bytes = Buffer.concat(stringsOf(args)).subarray(0, result);
    const at = name.startsWith('p') ? lastNumber(args) : size;
    this.#add({ kind: 'write', inode, at, bytes });
  }

  #open(path: string, args: string): void {
    if (!args.includes('O_CREAT') && !args.includes('O_TRUNC')) return;
    const inode = this.#find(path);
    if (inode === undefined) this.#make(path, false);
    else if (args.includes('O_TRUNC')) this.#add({ kind: 'cut', inode, size: 0 });
  }

  #make(path: string, isFolder: boolean): void {
    const folder = this.#find(dirname(path));
    if (folder === undefined) return;
    const inode = this.#next;
    this.#next -= 1;
    if (isFolder) this.#disk.folders.set(inode, new Map());
    else this.#disk.files.set(inode, Buffer.alloc(0));
    this.made[isFolder ? 'folders' : 'files'].push(inode);
    this.#add({ kind: 'entries', changes: [{ folder, name: basename(path), inode }] });
  }

  #rename(from: string, to: string): void {
    const inode = this.#find(from);
    const [source, target] = [this.#find(dirname(from)), this.#find(dirname(to))];
    // Two names of one file: a rename of one over the other does nothing.
    if (inode === undefined || source === undefined || target === undefined) return;
    if (this.#find(to) === inode) return;
    const changes = [
      { folder: target, name: basename(to), inode },
      { folder: source, name: basename(from), inode: null },
    ];
    this.#add({ kind: 'entries', changes });
  }

  #link(from: string, to: string): void {
    const [inode, folder] = [this.#find(from), this.#find(dirname(to))];
    if (inode === undefined || folder === undefined) return;
    this.#add({ kind: 'entries', changes: [{ folder, name: basename(to), inode }] });
  }

  #unlink(path: string): void {
    const folder = this.#find(dirname(path));
    if (folder === undefined) return;
    this.#add({ kind: 'entries', changes: [{ folder, name: basename(path), inode: null }] });
  }

  #add(op: Op): void {
    this.ops.push(op);
    applyOp(this.#disk, op);
  }

  #find(path: string): Inode | undefined {
    if (path === this.#folder) return ROOT;
    if (!path.startsWith(`${this.#folder}/`)) return undefined;
    let inode: Inode | undefined = ROOT;
    for (const name of path.slice(this.#folder.length + 1).split('/')) {
      inode = inode === undefined ? undefined : this.#disk.folders.get(inode)?.get(name);
    }
    return inode;
  }
}

const lastNumber = (args: string): number => Number(/(\d+)$/.exec(args)?.[1] ?? 0);
