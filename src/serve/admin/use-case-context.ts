// What every use case of the admin interface is given. Use cases know no HTTP: they take this context
// and a parsed payload, and answer plain objects or throw a PrepressError.
import type { Clock } from '../../base/clock.ts';
import type { Mailer } from '../../base/mail/mailer.ts';
import type { SecretBox } from '../../publication/store/access/secrets.ts';
import type { Store } from '../../publication/store/store.ts';
import type { EditorFormats } from '../editor/editor-formats.ts';
import type { Site } from '../editor/site.ts';

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
  readonly webhookEvents: readonly string[];
  /** Slugs that posts and pages may not take, beside Ghost's own. */
  readonly reservedSlugs?: readonly string[];
};

/** What most saves need. */
export type WriteContext = Pick<UseCaseContext, 'store' | 'clock'>;

/** What reading records needs: how they are shown is the site's. */
export type ReadContext = Pick<UseCaseContext, 'store' | 'clock' | 'site'>;

/** Use cases that show members need the public address of this server too. */
export type MembersContext = UseCaseContext & {
  /** Without a trailing slash; `/unsubscribe/` and `/newsletters/verify/` lie under it. */
  readonly publicUrl: () => string;
};

export type NewslettersContext = MembersContext & { readonly mailer: Mailer };
