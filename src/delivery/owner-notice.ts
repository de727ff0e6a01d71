// Mails the owner when a webhook is disabled: which one and why, never its target's path or query, which
// may hold a secret. A mail that is not taken is told to `onError`; nothing waits for it but `close`.
import type { Mailer } from '../mail/mailer.ts';
import type { DisabledWebhook } from './try-delivery.ts';

type OwnerNoticeOptions = {
  /** The setting `ownerEmail`; undefined: nobody is told. */
  readonly ownerEmail: string | undefined;
  readonly mailer: Mailer;
  readonly onError?: ((error: unknown) => void) | undefined;
};

export type OwnerNotice = {
  readonly tell: (webhook: DisabledWebhook) => void;
  /** Waits for the mails that are on their way. */
  readonly close: () => Promise<void>;
};

export const createOwnerNotice = ({
  ownerEmail,
  mailer,
  onError = () => {},
}: OwnerNoticeOptions): OwnerNotice => {
  const sending = new Set<Promise<void>>();
  return {
    tell: (webhook) => {
      if (ownerEmail === undefined) return;
      const mail = { to: ownerEmail, subject: SUBJECT, text: formatText(webhook) };
      const task = mailer.send(mail).catch(onError);
      sending.add(task);
      task.finally(() => sending.delete(task));
    },
    close: async () => {
      await Promise.all(sending);
      mailer.close();
    },
  };
};

const SUBJECT = 'A webhook was disabled';

const formatText = ({ webhookId, targetUrl, reason }: DisabledWebhook): string =>
  [
    `The webhook ${webhookId} to ${hostOf(targetUrl)} was disabled. ${reason}`,
    '',
    'What waits for it is kept. To enable it again, and send what waits, save it:',
    `PUT /admin/webhooks/${webhookId}/`,
    '',
    `To try whether its receiver answers: prepress webhooks test ${webhookId}`,
    '',
  ].join('\n');

const hostOf = (targetUrl: string): string =>
  URL.canParse(targetUrl) ? new URL(targetUrl).host : 'its target';
