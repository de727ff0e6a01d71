// Newsletters: name, description and sender. A new sender address waits until its owner follows the link mailed to it.
import { useState } from 'preact/hooks';
import { useDesk } from '../context.ts';
import type { Desk, Newsletter } from '../records.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { time } from '../ui/words.ts';

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
          No mail server is set, so mails are files in <code>data/mail/</code>; the link stands in
          the log of the server, too.
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

const Item = ({ newsletter, pending, onSaved }: ItemProps) => (
  <section class="card">
    <h2>
      {newsletter.name} <Badge state={newsletter.status} />
    </h2>
    <p>
      {newsletter.sender_email === null
        ? 'Sent from the address of the publication.'
        : `Sent from ${newsletter.sender_email}, which is verified.`}
    </p>
    {pending !== undefined && (
      <p class="note">
        <Badge state="waiting" /> <strong>{pending.sender_email}</strong> is not verified yet. A
        link was mailed to it and works until {time(pending.expires_at)}. To get a new one, save the
        address once more.
      </p>
    )}
    <details>
      <summary>Edit {newsletter.name}</summary>
      <NewsletterForm newsletter={newsletter} onSaved={onSaved} />
    </details>
  </section>
);

type Draft = Record<'name' | 'description' | 'sender_name' | 'sender_email', string> & {
  readonly status: Newsletter['status'];
};

const draftOf = (newsletter: Newsletter | null): Draft => ({
  name: newsletter?.name ?? '',
  description: newsletter?.description ?? '',
  sender_name: newsletter?.sender_name ?? '',
  sender_email: newsletter?.sender_email ?? '',
  status: newsletter?.status ?? 'active',
});

type FormProps = { readonly newsletter: Newsletter | null; readonly onSaved: () => void };
type Saved = { readonly meta?: { readonly sent_email_verification?: readonly string[] } };

const NewsletterForm = ({ newsletter, onSaved }: FormProps) => {
  const { api } = useDesk();
  const [draft, setDraft] = useState(() => draftOf(newsletter));
  const action = useAction();
  const set = (changes: Partial<Draft>): void => setDraft({ ...draft, ...changes });
  const save = (event: Event): void => {
    event.preventDefault();
    action.run(async () => {
      const before = draftOf(newsletter);
      const names = Object.keys(draft) as (keyof Draft)[];
      const changes = Object.fromEntries(
        names.filter((name) => draft[name] !== before[name]).map((name) => [name, draft[name]]),
      );
      const [method, path] =
        newsletter === null
          ? (['POST', '/newsletters/'] as const)
          : (['PUT', `/newsletters/${newsletter.id}/`] as const);
      const { meta } = await api.send<Saved>(method, path, { newsletters: [changes] });
      onSaved();
      return meta?.sent_email_verification === undefined
        ? 'Saved.'
        : `Saved. A link was mailed to ${draft.sender_email}; the address is used once it is followed.`;
    });
  };
  return (
    <form onSubmit={save}>
      <TextField
        label="Name"
        required
        maxLength={191}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Description"
        rows={2}
        maxLength={2000}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <TextField
        label="Sender’s name"
        maxLength={191}
        value={draft.sender_name}
        onChange={(sender_name) => set({ sender_name })}
      />
      <TextField
        label="Sender’s address"
        hint="Empty: the publication’s own. Another one is used once the link mailed to it was followed."
        type="email"
        maxLength={191}
        value={draft.sender_email}
        onChange={(sender_email) => set({ sender_email })}
      />
      {newsletter !== null && (
        <SelectField
          label="Status"
          value={draft.status}
          options={[
            ['active', 'Active'],
            ['archived', 'Archived'],
          ]}
          onChange={(status) => set({ status })}
        />
      )}
      <button type="submit" class="main" disabled={action.isBusy}>
        Save
      </button>
      <Outcome {...action} />
    </form>
  );
};
