// What every use case of the admin interface is given. Use cases know no HTTP: they take this context
// and a parsed payload, and answer plain objects or throw a PrepressError.
import type { Clock } from '../base/clock.ts';
import type { AdminContext } from '../documents/admin/context.ts';
import type { SecretBox } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';

/** What the admin shape needs that does not come with each record. */
export type ShapeContext = Omit<AdminContext, 'tiers' | 'now'>;

export type UseCaseContext = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** How records are shown, as the publication's settings have it now. */
  readonly shape: () => ShapeContext | Promise<ShapeContext>;
  /** Why a webhook may not be sent to that address, in one sentence, or null when it may. */
  readonly vetTarget: (url: string) => Promise<string | null>;
  /** Names of the events that webhooks may want. */
  readonly webhookEvents: readonly string[];
  /** Slugs that posts and pages may not take, beside Ghost's own. */
  readonly reservedSlugs?: readonly string[];
};
