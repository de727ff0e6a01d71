// The newest deliveries of webhooks with their attempts; each can be sent again.
import { useState } from 'preact/hooks';
import { useDesk, useTime } from '../context.ts';
import type { Delivery, Webhook } from '../records.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { CheckField } from '../ui/fields/field.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { number } from '../ui/words.ts';

const EVERY_MS = 2_000;
const LIMIT = 30;

export const Deliveries = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => {
  const { api } = useDesk();
  const [isFailed, setFailed] = useState(false);
  const { value, error, reload } = useLoaded(
    () =>
      api.get<{ deliveries: Delivery[] }>('/deliveries/', {
        limit: LIMIT,
        failed: isFailed ? 'true' : undefined,
      }),
    [api, isFailed],
    EVERY_MS,
  );
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <CheckField label="Failed ones only" isChecked={isFailed} onChange={setFailed} />
      <Failed error={error} />
      <ul class="records">
        {value?.deliveries.map((delivery) => (
          <Item
            key={delivery.id}
            delivery={delivery}
            webhook={webhooks.find(({ id }) => id === delivery.webhook_id)}
            onSent={reload}
          />
        ))}
      </ul>
      {value?.deliveries.length === 0 && <p class="hint">Nothing was sent yet.</p>}
    </section>
  );
};

type ItemProps = {
  readonly delivery: Delivery;
  readonly webhook: Webhook | undefined;
  readonly onSent: () => void;
};

const Item = ({ delivery, webhook, onSent }: ItemProps) => {
  const { api } = useDesk();
  const time = useTime();
  const action = useAction();
  const { attempts } = delivery;
  const last = attempts.at(-1);
  const again = (): Promise<void> =>
    action.run(async () => {
      await api.send('POST', `/deliveries/${delivery.id}/redeliver/`);
      onSent();
      return 'It is being sent again.';
    });
  return (
    <li>
      <Badge state={delivery.state} />
      <span class="grow">
        {delivery.event}
        <div class="hint">{webhook?.target_url ?? 'a webhook that is gone'}</div>
      </span>
      <span class="hint">{time(delivery.finished_at ?? delivery.created_at)}</span>
      <button type="button" disabled={action.isBusy} onClick={again}>
        Send again
      </button>
      {last?.error != null && delivery.state !== 'done' && (
        <div class="whole hint">
          {last.reason ?? `The last attempt failed: ${last.error}.`}{' '}
          {nextTry(delivery, webhook, time(delivery.due_at))}
        </div>
      )}
      {last !== undefined && (
        <details class="whole">
          <summary>
            {last.status === null ? (last.error ?? 'No answer') : `Status ${last.status}`} at
            attempt {number(last.number)}
          </summary>
          <ol>
            {attempts.map(({ number: at, started_at, duration_ms, status, error }) => (
              <li key={at}>
                {time(started_at)}, {number(duration_ms)} ms:{' '}
                {status === null ? '' : `status ${status}`} {error}
              </li>
            ))}
          </ol>
        </details>
      )}
      <div class="whole">
        <Outcome {...action} />
      </div>
    </li>
  );
};

const nextTry = ({ state }: Delivery, webhook: Webhook | undefined, at: string): string => {
  if (state !== 'pending') return 'It is not retried.';
  return webhook?.is_enabled === false
    ? 'It is retried once the webhook is enabled.'
    : `The next try is at ${at}.`;
};
