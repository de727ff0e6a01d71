// A disk in a file: a file system on a loop device whose image lies on btrfs, where a copy of the image is a
// matter of milliseconds. Such a copy is what the disk would hold if the power failed at that moment: what
// the kernel still kept in memory is not in it.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MIB = 1024 * 1024;

export type FileSystem = 'ext4' | 'xfs';
type AnyFileSystem = FileSystem | 'btrfs';

/** The smallest that each is made in. */
const SIZES: Readonly<Record<FileSystem, number>> = {
  ext4: 64 * MIB,
  xfs: 320 * MIB,
};

const FORMAT: Readonly<Record<AnyFileSystem, readonly string[]>> = {
  ext4: ['mkfs.ext4', '-q', '-F'],
  xfs: ['mkfs.xfs', '-q', '-f'],
  btrfs: ['mkfs.btrfs', '-q', '-f'],
};

const format = (kind: AnyFileSystem, image: string, bytes: number): void => {
  writeFileSync(image, '');
  truncateSync(image, bytes);
  const [command = '', ...flags] = FORMAT[kind];
  execFileSync(command, [...flags, image], { stdio: 'ignore' });
};

const mount = (image: string, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'pipe' });
};

const unmount = (folder: string): void => {
  execFileSync('umount', [folder], { stdio: 'pipe' });
};

export type LoopDisk = {
  /** Where the disk is mounted. */
  readonly folder: string;
  /** Copies the disk as it is now; returns the image. */
  readonly cut: () => Promise<string>;
  /** Mounts an image, which replays its journal, and forgets it after `look`. */
  readonly withImage: <T>(image: string, look: (folder: string) => Promise<T>) => Promise<T>;
  readonly close: () => void;
};

/** Throws where root, loop devices or the file system are not to be had. */
export const openLoopDisk = (kind: FileSystem): LoopDisk => {
  const parent = mkdtempSync(join(tmpdir(), 'prepress-disk-'));
  const [host, live, replay] = ['host', 'live', 'replay'].map((name) => join(parent, name)) as [
    string,
    string,
    string,
  ];
  const mounted: string[] = [];
  const close = (): void => {
    for (const folder of mounted.reverse()) unmount(folder);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    format('btrfs', join(parent, 'host.img'), 2_048 * MIB);
    mount(join(parent, 'host.img'), host);
    mounted.push(host);
    const disk = join(host, 'disk.img');
    format(kind, disk, SIZES[kind]);
    mount(disk, live);
    mounted.push(live);
    let cuts = 0;
    return {
      folder: live,
      cut: async () => {
        cuts += 1;
        const image = join(host, `cut-${cuts}.img`);
        await run('cp', ['--reflink=always', disk, image]);
        return image;
      },
      withImage: async (image, look) => {
        mkdirSync(replay, { recursive: true });
        // A copy has the identity of the original, which xfs mounts only once.
        const options = kind === 'xfs' ? 'loop,nouuid' : 'loop';
        await run('mount', ['-o', options, image, replay]);
        try {
          return await look(replay);
        } finally {
          unmount(replay);
          rmSync(image);
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

/** Null where such disks can be made. */
export const findLoopFault = (kind: FileSystem): string | null => {
  if (process.getuid?.() !== 0) return 'needs root to mount';
  if (!existsSync('/dev/loop-control')) return 'needs loop devices';
  try {
    openLoopDisk(kind).close();
    return null;
  } catch (error) {
    const { message } = error as Error;
    return `no ${kind} on a loop device here (${message.split('\n')[0]})`;
  }
};
