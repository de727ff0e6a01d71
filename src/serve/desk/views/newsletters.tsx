// Newsletters with the state of their senders. A new sender address waits until its owner follows the link mailed to it.
import { useState } from 'preact/hooks';
import { useDesk, useTime } from '../context.ts';
import type { Desk, Newsletter } from '../records.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { useLoaded } from '../ui/hooks.ts';
import { NewsletterForm } from './newsletter-form.tsx';

const EVERY_MS = 5_000;

export const Newsletters = () => {
  const { api } = useDesk();
  const [isNew, setNew] = useState(false);
  const { value, error, reload } = useLoaded(
    async () => {
      const [{ newsletters }, { desk }] = await Promise.all([
        api.get<{ newsletters: Newsletter[] }>('/newsletters/', { limit: 100 }),
        api.get<{ desk: Desk }>('/desk/'),
      ]);
      return { newsletters, desk };
    },
    [api],
    EVERY_MS,
  );
  return (
    <>
      <div class="head">
        <h1>Newsletters</h1>
        <button type="button" class="main" onClick={() => setNew(true)} disabled={isNew}>
          New newsletter
        </button>
      </div>
      <Failed error={error} />
      {value?.desk.mail === 'file' && (
        <p class="note">
          No mail server is set, so mails are kept as files in <code>data/mail/</code>. The server’s
          log names each one.
        </p>
      )}
      {isNew && (
        <section class="card">
          <h2>New newsletter</h2>
          <NewsletterForm
            newsletter={null}
            onSaved={() => {
              setNew(false);
              reload();
            }}
          />
        </section>
      )}
      {value?.newsletters.map((newsletter) => (
        <Item
          key={newsletter.id}
          newsletter={newsletter}
          pending={value.desk.pending_senders.find((one) => one.newsletter_id === newsletter.id)}
          onSaved={reload}
        />
      ))}
      {value === null && error === null && <p>Loading…</p>}
    </>
  );
};

type ItemProps = {
  readonly newsletter: Newsletter;
  readonly pending: Desk['pending_senders'][number] | undefined;
  readonly onSaved: () => void;
};

const Item = ({ newsletter, pending, onSaved }: ItemProps) => {
  const time = useTime();
  return (
    <section class="card">
      <h2>
        {newsletter.name} <Badge state={newsletter.status} />
      </h2>
      <p>
        {newsletter.sender_email === null
          ? 'This newsletter has no sender address of its own.'
          : `${newsletter.sender_email} is verified and is the sender address of this newsletter.`}
      </p>
      {pending !== undefined && (
        <p class="note">
          <Badge state="waiting" /> <strong>{pending.sender_email}</strong> is not verified yet. A
          link was mailed to it and works until {time(pending.expires_at)}. To get a new one, save
          the address once more.
        </p>
      )}
      <details>
        <summary>Edit {newsletter.name}</summary>
        <NewsletterForm newsletter={newsletter} onSaved={onSaved} />
      </details>
    </section>
  );
};
