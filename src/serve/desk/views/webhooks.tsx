// Webhooks of the key: made, tried, removed; and the log of what was sent.
import { useState } from 'preact/hooks';
import { useDesk, useTime } from '../context.ts';
import type { Desk, NewWebhook, Webhook } from '../records.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { Secret } from '../ui/secret.tsx';
import { Deliveries } from './deliveries.tsx';
import { CreateWebhook } from './new-webhook.tsx';

export const Webhooks = () => {
  const { api } = useDesk();
  const [made, setMade] = useState<NewWebhook | null>(null);
  const { value, error, reload } = useLoaded(() => api.get<{ desk: Desk }>('/desk/'), [api]);
  const webhooks = value?.desk.webhooks ?? [];
  return (
    <>
      <div class="head">
        <h1>Webhooks</h1>
      </div>
      <Failed error={error} />
      {made !== null && (
        <section>
          <p class="note">
            Created the webhook. Its secret is shown only once: keep it where the receiver checks
            signatures.
          </p>
          <Secret label="Secret, for Ghost’s signature" secret={made.secret} />
          <Secret label="The same, for Standard Webhooks" secret={made.standard_secret} />
        </section>
      )}
      <ul class="records">
        {webhooks.map((webhook) => (
          <Item key={webhook.id} webhook={webhook} onChanged={reload} />
        ))}
      </ul>
      {value !== null && webhooks.length === 0 && <p class="hint">There is no webhook yet.</p>}
      {value !== null && (
        <CreateWebhook
          events={value.desk.webhook_events}
          presets={value.desk.webhook_presets}
          onMade={(webhook) => {
            setMade(webhook);
            reload();
          }}
        />
      )}
      <Deliveries webhooks={webhooks} />
    </>
  );
};

const Item = ({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) => {
  const { api } = useDesk();
  const time = useTime();
  const action = useAction();
  const { id, event, name, target_url } = webhook;
  const test = (): Promise<void> =>
    action.run(async () => {
      await api.send('POST', `/webhooks/${id}/test/`);
      return 'A test event is on its way; the log below shows it.';
    });
  const enable = (): Promise<void> =>
    action.run(async () => {
      await api.send('PUT', `/webhooks/${id}/`, { webhooks: [{ name }] });
      onChanged();
      return 'Enabled.';
    });
  const remove = (): Promise<void> =>
    action.run(async () => {
      if (!confirm(`Remove the webhook for ${event} and its deliveries?`)) return null;
      await api.send('DELETE', `/webhooks/${id}/`);
      onChanged();
      return null;
    });
  return (
    <li>
      <span class="grow">
        <strong>{name || event}</strong> {name && <span class="hint">{event}</span>}{' '}
        {!webhook.is_enabled && <Badge state="disabled" />}
        <div class="hint">{target_url}</div>
        {webhook.request !== null && <div class="hint">{ownParts(webhook.request)}</div>}
        {webhook.disabled_reason !== null && <div class="failure">{webhook.disabled_reason}</div>}
        <div class="hint">
          {webhook.last_triggered_at === null
            ? 'Never sent.'
            : `Last sent ${time(webhook.last_triggered_at)}: ${webhook.last_triggered_error ?? `status ${webhook.last_triggered_status ?? '–'}`}`}
        </div>
      </span>
      <span class="buttons">
        {!webhook.is_enabled && (
          <button type="button" disabled={action.isBusy} onClick={enable}>
            Enable
          </button>
        )}
        <button type="button" disabled={action.isBusy} onClick={test}>
          Test
        </button>
        <button type="button" class="danger" disabled={action.isBusy} onClick={remove}>
          Remove
        </button>
      </span>
      <div class="whole">
        <Outcome {...action} />
      </div>
    </li>
  );
};

const ownParts = ({ preset, headers, has_body }: NonNullable<Webhook['request']>): string =>
  [
    ...(preset === null ? [] : [`Preset ${preset}`]),
    ...(headers.length === 0 ? [] : [`headers ${headers.join(', ')}`]),
    ...(has_body ? ['a body of its own'] : []),
  ].join('; ');
