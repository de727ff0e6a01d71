// Holds a generation's deliveries until the public site shows its bytes (setting `readback`). The samples
// are kept with the build, so that a restart takes up the reading where it was; a hold that nobody lifts
// lapses by itself.

import { pickSamples, READBACK_MS_MAX, readBack, type Sample } from '../delivery/read-back.ts';
import type { SessionReport } from '../emit/session.ts';
import type { Manifest } from '../store/manifest.ts';
import { heldGenerations, openGate } from '../store/outbox.ts';
import { findSamples } from '../store/publishing.ts';
import type { Store } from '../store/store.ts';

export { READBACK_MS_MAX };

type GateDeps = {
  readonly store: Store;
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
  const written = files.names?.written ?? [...manifest.files()].map(({ path }) => path);
  const removed = files.names?.removed ?? [];
  const pathOf = (name: string): string =>
    `${basePath}/content/${name.split('/').map(encodeURIComponent).join('/')}`;
  return pickSamples([
    ...written.map((name) => ({
      path: pathOf(name),
      sha256: manifest.hashOf(name)?.toString('hex') ?? null,
    })),
    ...removed.map((name) => ({ path: pathOf(name), sha256: null })),
  ]);
};

export const createPublicGate = ({ store, url, onOpened }: GateDeps): PublicGate => {
  const ending = new AbortController();
  const reading = new Map<number, Promise<void>>();
  const read = async (generation: number, site: string): Promise<void> => {
    const changed = await findSamples(store.reader, generation);
    const { isDone } = await readBack({ url: site, changed, signal: ending.signal });
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
