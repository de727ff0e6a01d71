// What every use case of the admin interface is given. Use cases know no HTTP: they take this context
// and a parsed payload, and answer plain objects or throw a PrepressError.
import type { Clock } from '../base/clock.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { SecretBox } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import type { EditorFormats } from './editor-formats.ts';

export type Site = {
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** Pattern of post addresses. */
  readonly permalinks?: string;
  /** Public addresses, without a trailing slash, below which this server has the site's pictures and files too. */
  readonly uploadUrls?: readonly string[];
  /** False when the avatar service is disabled. */
  readonly hasAvatars?: boolean;
};

export type UseCaseContext = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The site's addresses, as configuration and settings have them now. */
  readonly site: () => Site | Promise<Site>;
  /** Why a webhook may not be sent to that address, in one sentence, or null when it may. */
  readonly vetTarget: (url: string) => Promise<string | null>;
  /** Reads the documents of Ghost's editors; absent: they are refused. */
  readonly formats?: EditorFormats;
  /** Names of the events that webhooks may want. */
  readonly webhookEvents: readonly string[];
  /** Slugs that posts and pages may not take, beside Ghost's own. */
  readonly reservedSlugs?: readonly string[];
};

/** Use cases that show members need the public address of this server too. */
export type MembersContext = UseCaseContext & {
  /** Without a trailing slash; `/unsubscribe/` and `/newsletters/verify/` lie under it. */
  readonly publicUrl: () => string;
};

export type NewslettersContext = MembersContext & { readonly mailer: Mailer };
