// Holds a generation's deliveries until the targets of the setting `deploy` have it, and then until the public site shows its
// bytes (setting `readback`). The samples are kept with the build, so that a restart takes up the waiting where it was.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { findDocument } from '../../content/paths/sidecars.ts';
import { isBlob } from '../../content/tree/names.ts';
import { findPublishedPosition, findSamples } from '../../publication/store/log/publishing.ts';
import type { Store } from '../../publication/store/store.ts';
import {
  type HeldGeneration,
  heldGenerations,
  openGate,
  renewHolds,
} from '../../publication/store/webhooks/outbox.ts';
import type { Config } from '../../settings/settings.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { SessionReport } from '../output/session/session.ts';
import { pickSamples, READBACK_MS_MAX, readBack, type Sample } from './read-back.ts';

type GateDeps = {
  readonly store: Store;
  readonly manifest: Manifest;
  readonly clock: Clock;
  readonly config: GateConfig & Pick<Config, 'basePath'>;
  /** Names of the targets that lack a build at the time `until`; earlier when waiting is in vain, or needless. */
  readonly whenThere: (
    generation: number,
    options: { readonly until: number; readonly signal: AbortSignal },
  ) => Promise<readonly string[]>;
  readonly onOpened: (opened: EndedHold) => void;
  /** The public site gives no answer, and is asked again. */
  readonly onSilent: (cause: unknown) => void;
  /** It is tried again. */
  readonly onFailed: (error: unknown) => void;
  /** The wait after a first failure, doubled each time up to a minute. */
  readonly retryMs?: number;
};

/** Other servers that show a change later than this are not waited for. */
const SERVERS_MS = 5_000;
const SERVERS_LOOK_MS = 50;
/** The hold itself ends later: it is set by one server's clock, and deliveries are claimed by PostgreSQL's. */
export const SERVERS_HOLD_MS = 30_000;

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;

type GateConfig = Pick<Config, 'deploy' | 'deployWaitMinutes' | 'readback'>;

export type EndedHold = {
  readonly generation: number;
  /** Names of targets that were not waited for any longer. */
  readonly lacking: readonly string[];
  /** False: the public site did not show the new bytes in time. */
  readonly isSeen: boolean;
};

const waitsMsOf = ({ deploy, deployWaitMinutes, readback }: GateConfig) => ({
  deployMs: deploy.length === 0 ? 0 : deployWaitMinutes * 60_000,
  readMs: readback === undefined ? 0 : READBACK_MS_MAX,
});

/** How long the deliveries of a generation may be held; null: they leave at once. */
export const holdMsOf = (config: GateConfig): number | null => {
  const { deployMs, readMs } = waitsMsOf(config);
  return deployMs + readMs === 0 ? null : deployMs + readMs;
};

export type WebhookHold = {
  /** Begins the holds anew: for as long as no program ran, nothing was carried. Before anything is delivered. */
  readonly renew: () => Promise<void>;
  /** Takes up every held generation that is not being waited for yet. Never throws: what fails is tried again. */
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
  // A new tree has no names, and a cycle that takes up a broken one finds its files in place: the lists
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

export const createWebhookHold = (deps: GateDeps): WebhookHold => {
  const {
    store,
    manifest,
    clock,
    config,
    whenThere,
    onOpened,
    onSilent,
    onFailed,
    retryMs = RETRY_MS,
  } = deps;
  const { basePath, readback } = config;
  const ending = new AbortController();
  const { signal } = ending;
  const waiting = new Map<number, Promise<void>>();
  const read = async (generation: number, url: string): Promise<boolean> => {
    const changed = await findSamples(store, generation);
    const expectNow = (path: string) => hashOf(manifest, nameOf(path, basePath));
    const { isDone } = await readBack({ url, changed, expectNow, onSilent, signal });
    return isDone;
  };
  /** Names of the servers that did not show in time what was announced. */
  const serversLacking = async (): Promise<readonly string[]> => {
    const seq = (await findPublishedPosition(store))?.seq ?? 0;
    for (const until = performance.now() + SERVERS_MS; ; ) {
      const left = await store.servers.lacking(seq);
      if (left.length === 0 || performance.now() > until || signal.aborted) return left;
      await sleep(SERVERS_LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const open = async ({ generation, heldUntil }: HeldGeneration): Promise<void> => {
    const until = heldUntil - waitsMsOf(config).readMs;
    const places = await whenThere(generation, { until, signal });
    const lacking = [...places, ...(await serversLacking())];
    if (signal.aborted) return;
    const isSeen = readback === undefined || (await read(generation, readback));
    if (signal.aborted) return;
    await store.write((tx) => openGate(tx, generation));
    onOpened({ generation, lacking, isSeen });
  };
  const untilDone = async (run: () => Promise<void>): Promise<void> => {
    for (let waitMs = retryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      try {
        return await run();
      } catch (error) {
        if (!signal.aborted) onFailed(error);
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const takeUp = async (): Promise<void> => {
    if (!store.leads()) return;
    for (const held of await heldGenerations(store)) {
      const { generation } = held;
      if (waiting.has(generation)) continue;
      const task = untilDone(() => open(held)).finally(() => waiting.delete(generation));
      waiting.set(generation, task);
    }
  };
  return {
    renew: async () => {
      const holdMs = holdMsOf(config);
      if (holdMs === null || !store.leads() || (await heldGenerations(store)).length === 0) return;
      await store.write((tx) => renewHolds(tx, clock.now() + holdMs));
    },
    wake: () => untilDone(takeUp),
    close: async () => {
      ending.abort();
      await Promise.allSettled(waiting.values());
    },
  };
};
