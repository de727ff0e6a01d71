// Everything a command works with, opened once and closed in the right order.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { createMailer, type Mailer } from '../../base/mail/mailer.ts';
import { createTargetVetter } from '../../base/net/vet-target.ts';
import { findBundledWorker } from '../../base/threads/thread.ts';
import { RESERVED_NAMES } from '../../content/paths/reserved-names.ts';
import { addressAtSite } from '../../publication/documents/interface-settings.ts';
import { findSealedSecret } from '../../publication/store/access/keys.ts';
import { openSecretBox, type SecretBox } from '../../publication/store/access/secrets.ts';
import { findSetting } from '../../publication/store/content/settings.ts';
import { closeDataFolder, makeDataFolder } from '../../publication/store/data-folder.ts';
import { beginAnnouncing } from '../../publication/store/log/publishing.ts';
import { openStore } from '../../publication/store/open-store.ts';
import type { Store } from '../../publication/store/store.ts';
import { siteUrlOf } from '../../publish/build/output-settings.ts';
import { createMediaBucket } from '../../publish/cycle/media-bucket.ts';
import type { PublishDeps } from '../../publish/cycle/publish-deps.ts';
import type { Manifest } from '../../publish/manifest/manifest.ts';
import { openManifest } from '../../publish/manifest/open-manifest.ts';
import { EVENT_NAMES } from '../../publish/webhooks/events/event-names.ts';
import {
  createDeliverer,
  type Deliverer,
  type DelivererOptions,
} from '../../publish/webhooks/sending/deliverer.ts';
import { createFailureMail } from '../../publish/webhooks/sending/failure-mail.ts';
import { type DataPaths, dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import {
  ensureDefaultKeys,
  findShownKey,
  isKnownKey,
  type KeysContext,
} from '../admin/keys/keys.ts';
import type { UseCaseContext } from '../admin/use-case-context.ts';
import { createFormatThread, type FormatThread } from '../editor/format-thread.ts';
import { warn } from './report.ts';

export type Workspace = PublishDeps & {
  readonly useCases: UseCaseContext;
  readonly createDeliverer: (listeners?: DelivererListeners) => Deliverer;
  readonly close: () => Promise<void>;
};

export type DelivererListeners = Pick<
  DelivererOptions,
  'onTried' | 'onDisabled' | 'onFailed' | 'onRefused' | 'onError'
>;

type WorkspaceOptions = {
  /** Makes the database when it is absent. */
  readonly create?: boolean;
  /** Makes a publication of an empty database in PostgreSQL, which nothing else makes. */
  readonly fillsEmpty?: boolean;
  /** The program builds, and announces what it builds. */
  readonly mayLead?: boolean;
  /** Takes what somebody should know; without it, standard error has it as a line. */
  readonly onWarning?: (sentence: string) => void;
};

export const openWorkspace = async (
  config: Config,
  options: WorkspaceOptions = {},
): Promise<Workspace> => {
  const paths = dataPathsOf(config);
  const { postgres } = paths;
  const { onWarning = warn } = options;
  if (options.create || postgres !== null) makeDataFolder(paths);
  const readWorker = findBundledWorker('read-worker');
  const store = await openStore(paths.database, {
    ...options,
    create: options.create || (postgres !== null && options.fillsEmpty === true),
    postgres,
    readWorker,
    onWarning,
  });
  try {
    return await openBeside(store, config, { paths, onWarning });
  } catch (error) {
    // A connection that stays open would keep the program from ending.
    await store.close();
    throw error;
  }
};

type Beside = { readonly paths: DataPaths; readonly onWarning: (sentence: string) => void };

const openBeside = async (
  store: Store,
  config: Config,
  { paths, onWarning }: Beside,
): Promise<Workspace> => {
  // Now it is known to be a publication.
  for (const warning of closeDataFolder(paths)) onWarning(warning);
  const bucket = createMediaBucket({ media: config.media, paths, store });
  const sealed = store.isReader ? undefined : await findSealedSecret(store);
  const secretBox = openSecretBox(paths.secretKey, {
    mustExist: sealed !== undefined,
    isKept: !store.isReader,
  });
  // What is sealed under the key of another publication could be opened by nobody later.
  if (sealed !== undefined) secretBox.open(sealed);
  const formats = createFormatThread({
    workerFile: findBundledWorker('format-worker'),
    pictures: {
      widths: config['images.sizes'],
      folders: [paths.media, paths.contentFolder],
    },
  });
  const useCases = { ...useCasesOf(config, secretBox, store), formats };
  if (!store.isReader) {
    await ensureDefaultKeys(useCases);
    await shareAdminKey(useCases, paths.adminKey);
  }
  await beginAnnouncing(store, systemClock.now());
  const manifest = openManifest(paths.manifest, {
    onRemade: (path, reason) => onWarning(`${path} was damaged (${reason}); it is made again.`),
  });
  return {
    config,
    paths,
    store,
    manifest,
    clock: systemClock,
    bucket,
    useCases,
    createDeliverer: (listeners) => delivererOf(config, useCases, listeners),
    close: async () => {
      bucket?.close();
      await closeAll(store, manifest, formats);
    },
  };
};

/** A mail that the mail server did not take is tried again after this. */
const NOTICE_AGAIN_MS = 10 * 60_000;

/** A deliverer that also mails the owner when it disables a webhook. */
const delivererOf = (
  config: Config,
  useCases: UseCaseContext,
  listeners: DelivererListeners = {},
): Deliverer => {
  const { ownerEmail, webhookAllow, redeliveryDays } = config;
  const mailer = createOwnerMailer(config, useCases);
  const { store, clock } = useCases;
  const { onError } = listeners;
  const notice = createFailureMail({ store, clock, ownerEmail, mailer, onError });
  const deliverer = createDeliverer({
    store,
    secretBox: useCases.secretBox,
    clock,
    webhookAllow,
    site: async () => ({
      url: (await useCases.site()).siteUrl,
      title: (await findSetting(store, 'title')) ?? '',
    }),
    redeliveryDays,
    ...listeners,
    onDisabled: (webhook) => {
      listeners.onDisabled?.(webhook);
      notice.wake();
    },
  });
  let again: NodeJS.Timeout | undefined;
  const wake = (): void => {
    if (store.leads()) notice.wake();
  };
  return {
    ...deliverer,
    start: () => {
      wake();
      again = setInterval(wake, NOTICE_AGAIN_MS);
      return deliverer.start();
    },
    close: async () => {
      clearInterval(again);
      await deliverer.close();
      await notice.close();
    },
  };
};

const createOwnerMailer = (config: Config, { site }: UseCaseContext): Mailer =>
  createMailer({
    smtp: config.smtp,
    folder: join(dirname(dataPathsOf(config).database), 'mail'),
    from: async () => config.mailFrom ?? addressAtSite('noreply', (await site()).siteUrl),
  });

/** Slugs that would hide addresses of the interface or of the server. */
const RESERVED_SLUGS = [...RESERVED_NAMES, '404'];

const useCasesOf = (config: Config, secretBox: SecretBox, store: Store): UseCaseContext => ({
  store,
  clock: systemClock,
  secretBox,
  site: async () => ({
    siteUrl: siteUrlOf(config, await findSetting(store, 'url')),
    permalinks: config.permalinks,
    hasAvatars: config.avatar,
  }),
  vetTarget: createTargetVetter(config.webhookAllow),
  webhookEvents: EVENT_NAMES,
  reservedSlugs: RESERVED_SLUGS,
});

const closeAll = async (store: Store, manifest: Manifest, formats: FormatThread): Promise<void> => {
  manifest.close();
  await formats.close();
  await store.close();
};

/** One that holds no key of this database is replaced. A key that was revoked stays: whoever revoked it knows why. */
const shareAdminKey = async (context: KeysContext, path: string): Promise<void> => {
  if (await isKnownKey(context, 'admin', readText(path))) return;
  const key = await findShownKey(context, 'admin');
  if (key !== null) writeWhole(path, `${key}\n`);
};

/** A file that cannot be read counts as empty. */
const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};
