// Holds a generation's deliveries until the public site shows its bytes (setting `readback`), or those of
// a generation after it. The samples are kept with the build, so that a restart takes up the reading
// where it was; a hold that nobody lifts lapses by itself.

import { isBlob } from '../base/packed-names.ts';
import { pickSamples, READBACK_MS_MAX, readBack, type Sample } from '../delivery/read-back.ts';
import type { SessionReport } from '../emit/session.ts';
import { findDocument } from '../paths/sidecars.ts';
import type { Manifest } from '../store/manifest.ts';
import { heldGenerations, openGate } from '../store/outbox.ts';
import { findSamples } from '../store/publishing.ts';
import type { Store } from '../store/store.ts';

export { READBACK_MS_MAX };

type GateDeps = {
  readonly store: Store;
  readonly manifest: Manifest;
  /** The setting `basePath`. */
  readonly basePath: string;
  /** The setting `readback`; undefined: deliveries are never held. */
  readonly url: string | undefined;
  /** Told when a gate was opened, and whether the bytes were seen. */
  readonly onOpened: (generation: number, isSeen: boolean) => void;
};

export type PublicGate = {
  /** Takes up every held generation that is not being read yet. */
  readonly wake: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The documents to look for: at most 20 of those that changed; removed ones must be gone. */
export const samplesOf = (
  files: SessionReport,
  manifest: Manifest,
  { basePath }: { readonly basePath: string },
): Sample[] => {
  const { written = [], removed = [] } = files.names ?? {};
  // A new tree has no names, and a turn that takes up a broken one finds its files in place: the lists
  // stand for both.
  const isUnknown = written.length + removed.length === 0;
  const changed = isUnknown ? [...manifest.files()].map(({ path }) => path) : written;
  // Blobs would crowd out what they are made of; their root stands for them.
  const documents = [...changed, ...removed].filter(
    (name) => findDocument(name) === null && !isBlob(name),
  );
  return pickSamples(documents).map((name) => ({
    path: pathOf(name, basePath),
    sha256: hashOf(manifest, name),
  }));
};

const hashOf = (manifest: Manifest, name: string): string | null =>
  manifest.hashOf(name)?.toString('hex') ?? null;

const pathOf = (name: string, basePath: string): string =>
  `${basePath}/content/${name.split('/').map(encodeURIComponent).join('/')}`;

const nameOf = (path: string, basePath: string): string =>
  path.slice(`${basePath}/content/`.length).split('/').map(decodeURIComponent).join('/');

export const createPublicGate = (deps: GateDeps): PublicGate => {
  const { store, manifest, basePath, url, onOpened } = deps;
  const ending = new AbortController();
  const reading = new Map<number, Promise<void>>();
  const read = async (generation: number, site: string): Promise<void> => {
    const changed = await findSamples(store.reader, generation);
    const expectNow = (path: string) => hashOf(manifest, nameOf(path, basePath));
    const { isDone } = await readBack({ url: site, changed, expectNow, signal: ending.signal });
    if (ending.signal.aborted) return;
    await store.write((writer) => openGate(writer, generation));
    onOpened(generation, isDone);
  };
  return {
    wake: async () => {
      if (url === undefined) return;
      for (const generation of await heldGenerations(store.reader)) {
        if (reading.has(generation)) continue;
        const task = read(generation, url).finally(() => reading.delete(generation));
        reading.set(generation, task);
        // A failed write leaves the hold to lapse.
        task.catch(() => undefined);
      }
    },
    close: async () => {
      ending.abort();
      await Promise.allSettled(reading.values());
    },
  };
};
