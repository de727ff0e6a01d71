import { expect, test, vi } from 'vitest';
import type { Mail } from '../../../../src/base/mail/mailer.ts';
import { createFailureMail } from '../../../../src/publish/webhooks/sending/failure-mail.ts';
import { createOutbox } from '../../../helpers/outbox.ts';
import { startReceiver } from '../../../helpers/receiver.ts';

const TARGET = '?token=s3cret-of-the-target';

const setUp = async (ownerEmail: string | undefined, send: (mail: Mail) => Promise<void>) => {
  const outbox = await createOutbox();
  const receiver = await startReceiver((response) => response.writeHead(410).end());
  const webhook = await outbox.subscribe(`${receiver.url}${TARGET}`);
  await outbox.queue(4);
  const onError = vi.fn();
  const { store, clock } = outbox;
  const open = (use: typeof send) =>
    createFailureMail({
      store,
      clock,
      ownerEmail,
      mailer: { send: use, close: () => {} },
      onError,
    });
  const notice = open(send);
  await outbox.deliverer({ onDisabled: notice.wake }).drainOnce();
  await notice.close();
  return { webhook, onError, open };
};

test('one mail when a webhook is disabled, without its path, query or secret', async () => {
  const mails: Mail[] = [];
  const { webhook } = await setUp('owner@site.test', async (mail) => {
    mails.push(mail);
  });
  expect(mails.map(({ to }) => to)).toEqual(['owner@site.test']);
  expect(mails[0]?.text).toContain(webhook.id);
  expect(mails[0]?.text).toContain('The receiver answered 410 Gone.');
  expect(JSON.stringify(mails)).not.toMatch(/s3cret|token|\/hook|whsec_/);
});

test('no owner, no mail; a mail that is not taken is told and stops nothing', async () => {
  const send = vi.fn(async () => {
    throw new Error('refused');
  });
  await setUp(undefined, send);
  expect(send).not.toHaveBeenCalled();
  const { onError } = await setUp('owner@site.test', send);
  expect(onError).toHaveBeenCalledTimes(1);
});

test('what could not be told is told by the next process, once', async () => {
  const { webhook, open } = await setUp('owner@site.test', async () => {
    throw new Error('the process ends here');
  });
  const mails: Mail[] = [];
  const send = async (mail: Mail): Promise<void> => {
    mails.push(mail);
  };
  for (const next of [open(send), open(send)]) {
    next.wake();
    next.wake();
    await next.close();
  }
  expect(mails.map(({ text }) => text.includes(webhook.id))).toEqual([true]);
});
