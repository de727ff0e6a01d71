// What the desk shows beside the records: webhooks, never their secrets; addresses that wait for verification; the
// queue. An owner key sees all webhooks, another key its own.

import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import { listOpenVerifications } from '../../../publication/store/access/verification-tokens.ts';
import { findSetting, SAMPLE_SETTING } from '../../../publication/store/content/settings.ts';
import { findFollowing } from '../../../publication/store/import/following.ts';
import { countDeliveries } from '../../../publication/store/webhooks/attempts.ts';
import {
  type ShownRequest,
  showRequest,
} from '../../../publication/store/webhooks/webhook-requests.ts';
import { listWebhooks } from '../../../publication/store/webhooks/webhooks.ts';
import { WEBHOOK_PRESETS, type WebhookPreset } from '../../contract/webhook-presets.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import { type ShownWebhook, showWebhook } from './webhooks.ts';

export type Desk = {
  readonly is_owner: boolean;
  readonly webhook_events: readonly string[];
  readonly webhook_presets: readonly Pick<WebhookPreset, 'name' | 'title' | 'address' | 'token'>[];
  readonly webhooks: readonly (ShownWebhook & {
    readonly is_enabled: boolean;
    readonly disabled_reason: string | null;
    readonly request: ShownRequest | null;
  })[];
  readonly pending_senders: readonly {
    readonly newsletter_id: string;
    readonly sender_email: string;
    readonly expires_at: string;
  }[];
  readonly deliveries: Readonly<Record<string, number>>;
  /** What alone changes the content, or null. */
  readonly follows: string | null;
  readonly is_sample: boolean;
};

export const readDesk = async (
  { store, clock, webhookEvents }: Pick<UseCaseContext, 'store' | 'clock' | 'webhookEvents'>,
  keyId: string,
): Promise<Desk> => {
  const isOwner = await isOwnerKey(store, keyId);
  const webhooks = (await listWebhooks(store)).filter(
    ({ integration_id }) => isOwner || integration_id === keyId,
  );
  const pending = await listOpenVerifications(store, clock.now());
  const following = await findFollowing(store);
  return {
    is_owner: isOwner,
    webhook_events: webhookEvents,
    webhook_presets: WEBHOOK_PRESETS.map(({ name, title, address, token }) => ({
      ...{ name, title, address, token },
    })),
    webhooks: webhooks.map((row) => ({
      ...showWebhook(row),
      is_enabled: row.status === 'enabled',
      disabled_reason: row.disabled_reason,
      request: showRequest(row),
    })),
    pending_senders: pending.map(({ newsletter_id, value, expires_at }) => ({
      newsletter_id,
      sender_email: value,
      expires_at: new Date(expires_at).toISOString(),
    })),
    deliveries: await countDeliveries(store),
    follows: following?.detached_at === null ? following.source : null,
    is_sample: (await findSetting(store, SAMPLE_SETTING)) !== null,
  };
};
