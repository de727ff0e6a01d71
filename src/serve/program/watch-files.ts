// Watches the settings file and the templates of a program that runs for long. A change is only a hint: who is told
// reads the files and compares.
import { statSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

export type Watching = {
  readonly close: () => Promise<void>;
};

/** Editors write a file in several steps, which are one change when they take no longer. */
const GATHER_MS = 150;

type GatherOptions = {
  /** Where a file is written at once, the first change after a while is told so soon. */
  readonly firstMs?: number;
};

/** How often a file is asked for whose change no folder tells. */
const POLL_MS = 1_000;

/**
 * Tells of a file that is changed, replaced, made or removed; its folder must exist. One that links lead to is replaced
 * by changing any of them, as Kubernetes does, and network disks tell of nothing: so it is asked for, too.
 */
export const watchFile = (
  path: string,
  onChanged: () => void,
  { firstMs = GATHER_MS }: GatherOptions = {},
): Watching => {
  const folder = dirname(path);
  // Watched by itself, a file that is absent would not be seen when it is made.
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (seen) => seen !== folder && seen !== path,
  });
  let seen = statKeyOf(path);
  const look = (): void => {
    const now = statKeyOf(path);
    if (now === seen) return;
    seen = now;
    onChanged();
  };
  const { tell, close } = tellOnce(watcher, look, firstMs);
  // What came before both watch.
  watcher.once('ready', tell);
  const poll = setInterval(tell, POLL_MS).unref();
  return {
    close: async () => {
      clearInterval(poll);
      await close();
    },
  };
};

/** Of the file that links lead to. */
const statKeyOf = (path: string): string => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return '';
  }
};

export type FolderWatching = Watching & {
  /** Watches these files and folders too, from now on. */
  readonly add: (paths: readonly string[]) => void;
};

/** `ignored`: folders that are written by the program itself. */
export const watchFolders = (ignored: readonly string[], onChanged: () => void): FolderWatching => {
  const known = new Set<string>();
  const watchings: Watching[] = [];
  const isIgnored = (path: string): boolean =>
    ['node_modules', '.git'].includes(basename(path)) ||
    ignored.some((folder) => path === folder || path.startsWith(`${folder}${sep}`));
  return {
    close: async () => {
      await Promise.all(watchings.map(({ close }) => close()));
    },
    add: (paths) => {
      const added = paths.filter((path) => !known.has(path));
      if (added.length === 0) return;
      for (const path of added) known.add(path);
      const watcher = watch(added, { ignoreInitial: true, ignored: isIgnored });
      const watching = tellOnce(watcher, onChanged);
      // What came after they were read and before they are watched.
      watcher.once('ready', watching.tell);
      watchings.push(watching);
    },
  };
};

/** What cannot be watched is looked at again at the next start. */
const tellOnce = (
  watcher: FSWatcher,
  onChanged: () => void,
  firstMs = GATHER_MS,
): Watching & { readonly tell: () => void } => {
  let timer: NodeJS.Timeout | undefined;
  let toldMs = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    const isFirst = performance.now() - toldMs > GATHER_MS;
    timer ??= setTimeout(
      () => {
        timer = undefined;
        toldMs = performance.now();
        onChanged();
      },
      isFirst ? firstMs : GATHER_MS,
    );
  };
  watcher.on('all', tell);
  watcher.on('error', () => undefined);
  return {
    tell,
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
};
