// Mails the owner when a webhook is disabled: which one and why, never its target's path or query, which
// may hold a secret. That it was done is written down after the mail was taken, so that a crash or a mail
// server that is away only makes it later; nothing waits for it but `close`.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../base/clock.ts';
import type { Mailer } from '../../../base/mail/mailer.ts';
import { originOf } from '../../../content/paths/origin-of.ts';
import type { Store } from '../../../publication/store/store.ts';
import {
  listUntoldWebhooks,
  noteOwnerTold,
  type WebhookRow,
} from '../../../publication/store/webhooks/webhooks.ts';

/** A mail that is not taken by then is sent by the next process. */
const CLOSING_MS = 3_000;

type FailureMailOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** The setting `ownerEmail`; undefined: nobody is told. */
  readonly ownerEmail: string | undefined;
  readonly mailer: Mailer;
  readonly onError?: ((error: unknown) => void) | undefined;
};

export type FailureMail = {
  /** Tells of every webhook that is disabled and was not told of; also what an earlier process left. */
  readonly wake: () => void;
  /** Waits for the mails that are on their way, but not for a mail server that hangs. */
  readonly close: () => Promise<void>;
};

export const createFailureMail = (options: FailureMailOptions): FailureMail => {
  const { store, clock, ownerEmail, mailer, onError = () => {} } = options;
  const tellAll = async (to: string): Promise<void> => {
    for (const webhook of await listUntoldWebhooks(store)) {
      await mailer.send({ to, subject: SUBJECT, text: formatText(webhook) });
      await store.write((tx) => noteOwnerTold(tx, webhook.id, clock.now()));
    }
  };
  // One after the other: what is being told is not told twice.
  let telling = Promise.resolve();
  return {
    wake: () => {
      if (ownerEmail === undefined) return;
      telling = telling.then(() => tellAll(ownerEmail)).catch(onError);
    },
    close: async () => {
      await Promise.race([telling, sleep(CLOSING_MS, undefined, { ref: false })]);
      mailer.close();
    },
  };
};

const SUBJECT = 'A webhook was disabled';

const formatText = ({ id, target_url, disabled_reason }: WebhookRow): string =>
  [
    `The webhook ${id} to ${originOf(target_url)} was disabled. ${disabled_reason ?? ''}`,
    '',
    'What waits for it is kept. To enable it again, and send what waits, save it:',
    `PUT /admin/webhooks/${id}/`,
    '',
    `To try whether its receiver answers: prepress webhooks test ${id}`,
    '',
  ].join('\n');
