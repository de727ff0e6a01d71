// One newsletter: name, description and sender. The record is loaded again and again, so that the form follows what is
// changed elsewhere, and sends only what was typed here.
import { useEffect } from 'preact/hooks';
import { useDesk } from '../context.ts';
import type { Newsletter } from '../records.ts';
import { useUnsaved } from '../route.ts';
import { changedNames, textOf, useDraft } from '../ui/fields/draft.ts';
import { SelectField, TextField } from '../ui/fields/field.tsx';
import { Form, SendButton } from '../ui/fields/form.tsx';
import { useAction } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';

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
type Saved = {
  readonly newsletters: readonly Newsletter[];
  readonly meta?: { readonly sent_email_verification?: readonly string[] };
};

export const NewsletterForm = ({ newsletter, onSaved }: FormProps) => {
  const { api } = useDesk();
  const { before, draft, set, follow } = useDraft<Draft>(draftOf(newsletter));
  const text = textOf(draft, set);
  const action = useAction();
  const names = changedNames(before, draft);
  useUnsaved(names.length > 0);
  useEffect(() => follow(draftOf(newsletter)), [JSON.stringify(draftOf(newsletter))]);
  const save = (): Promise<void> =>
    action.run(async () => {
      const changes = Object.fromEntries(names.map((name) => [name, draft[name]]));
      const [method, path] =
        newsletter === null
          ? (['POST', '/newsletters/'] as const)
          : (['PUT', `/newsletters/${newsletter.id}/`] as const);
      const answer = await api.send<Saved>(method, path, { newsletters: [changes] });
      // An address that waits is not stored yet: the field shows the one that is used, and the next save sends none.
      follow(draftOf(answer.newsletters[0] ?? newsletter), draft);
      onSaved();
      return answer.meta?.sent_email_verification === undefined
        ? 'Saved.'
        : `Saved. A link was mailed to ${draft.sender_email}; it becomes the sender address once the link is followed.`;
    });
  return (
    <Form>
      {/* Once a new newsletter is created, its entry in the list replaces this form: what is typed until then would be lost. */}
      <fieldset class="plain" disabled={newsletter === null && action.isBusy}>
        <TextField label="Name" required maxLength={191} {...text('name')} />
        <TextField label="Description" rows={2} maxLength={2000} {...text('description')} />
        <TextField label="Sender’s name" maxLength={191} {...text('sender_name')} />
        <TextField
          label="Sender’s address"
          hint="Empty: the publication’s own. A new one counts once somebody opens the link that is mailed to it."
          type="email"
          maxLength={191}
          {...text('sender_email')}
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
      </fieldset>
      <SendButton isDisabled={action.isBusy || names.length === 0} onSend={save}>
        Save
      </SendButton>
      <Outcome {...action} />
    </Form>
  );
};
