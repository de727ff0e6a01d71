// What the desk shows beside the records: webhooks, never their secrets; addresses that wait for verification; the
// queue. An owner key sees all webhooks, another key its own.
import { pick } from '../../../base/text/words.ts';
import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import { listOpenVerifications } from '../../../publication/store/access/verification-tokens.ts';
import { findSetting, SAMPLE_SETTING } from '../../../publication/store/content/settings.ts';
import { findFollowing } from '../../../publication/store/import/following.ts';
import { listOpenJobs } from '../../../publication/store/members/bulk-jobs.ts';
import { describeJob } from '../../../publication/store/members/describe-job.ts';
import { countDeliveries } from '../../../publication/store/webhooks/attempts.ts';
import { showRequest } from '../../../publication/store/webhooks/webhook-requests.ts';
import { listWebhooks } from '../../../publication/store/webhooks/webhooks.ts';
import { WEBHOOK_PRESETS } from '../../contract/webhook-presets.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import { kindOf } from './state-for-others.ts';
import { showWebhook } from './webhooks.ts';

export const readDesk = async (
  { store, clock, webhookEvents }: Pick<UseCaseContext, 'store' | 'clock' | 'webhookEvents'>,
  keyId: string,
) => {
  const isOwner = await isOwnerKey(store, keyId);
  const webhooks = (await listWebhooks(store)).filter(
    ({ integration_id }) => isOwner || integration_id === keyId,
  );
  const pending = await listOpenVerifications(store, clock.now());
  const following = await findFollowing(store);
  const source = following?.detached_at === null ? following.source : null;
  return {
    is_owner: isOwner,
    webhook_events: webhookEvents,
    webhook_presets: WEBHOOK_PRESETS.map((preset) => pick(preset, 'name title address token')),
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
    bulk_work: (await listOpenJobs(store, clock.now())).map((job) =>
      describeJob(job, { isServed: true }),
    ),
    follows: source === null || isOwner ? source : kindOf(source),
    timezone: (await findSetting(store, 'timezone')) ?? 'Etc/UTC',
    is_sample: (await findSetting(store, SAMPLE_SETTING)) !== null,
  };
};
