// The form that makes a webhook: for a receiver that is known by name, or for any other, with headers and body of its own.
import { useState } from 'preact/hooks';
import { useDesk } from '../context.ts';
import type { NewWebhook, WebhookPreset } from '../records.ts';
import { textOf } from '../ui/fields/draft.ts';
import { SelectField, TextField } from '../ui/fields/field.tsx';
import { Form, SendButton } from '../ui/fields/form.tsx';
import { useAction } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';

type Props = {
  readonly events: readonly string[];
  readonly presets: readonly WebhookPreset[];
  readonly onMade: (webhook: NewWebhook) => void;
};

const EMPTY = { target: '', name: '', token: '', headers: '', body: '' };

export const CreateWebhook = ({ events, presets, onMade }: Props) => {
  const { api } = useDesk();
  const action = useAction();
  const [event, setEvent] = useState('post.published');
  const [chosen, setChosen] = useState('');
  const [fields, setFields] = useState(EMPTY);
  const text = textOf(fields, (changes) => setFields((now) => ({ ...now, ...changes })));
  const preset = presets.find(({ name }) => name === chosen);
  const choose = (name: string): void => {
    setChosen(name);
    if (name !== '') setEvent('site.changed');
  };
  const create = (): Promise<void> =>
    action.run(async () => {
      const { target, name, token, headers, body } = fields;
      const own =
        preset === undefined
          ? { headers: headersOf(headers), body: bodyOf(body) }
          : { preset: preset.name, ...(preset.token !== null && { token: token.trim() }) };
      const webhook = { event, target_url: target.trim(), name: name.trim(), ...own };
      const answer = await api.send<{ webhooks: NewWebhook[] }>('POST', '/webhooks/', {
        webhooks: [webhook],
      });
      const [made] = answer.webhooks;
      if (made !== undefined) onMade(made);
      setFields(EMPTY);
      return 'Created the webhook.';
    });
  return (
    <Form class="card">
      <h2>New webhook</h2>
      <SelectField
        label="Receiver"
        value={chosen}
        options={[['', 'Any other'], ...presets.map(({ name, title }) => [name, title] as const)]}
        onChange={choose}
      />
      <SelectField
        label="Event"
        value={event}
        options={events.map((one) => [one, one] as const)}
        onChange={setEvent}
      />
      <TextField
        label="Address to send to"
        type="url"
        required
        placeholder={preset?.address ?? 'https://receiver.example/hook'}
        {...text('target')}
      />
      <TextField label="Name" hint="For yourself; may be empty." {...text('name')} />
      {preset === undefined ? (
        <>
          <TextField
            label="Headers"
            rows={2}
            hint="One a line, such as X-Token: abc. The values are not shown again."
            {...text('headers')}
          />
          <TextField
            label="Body"
            rows={3}
            hint="JSON with placeholders such as {{post.title}}. Empty: the event as it is. Not shown again."
            {...text('body')}
          />
        </>
      ) : (
        preset.token !== null && (
          <TextField
            label="Token"
            type="password"
            required
            hint={`${preset.token}. It is not shown again.`}
            {...text('token')}
          />
        )
      )}
      <SendButton isDisabled={action.isBusy} onSend={create}>
        Create webhook
      </SendButton>
      <Outcome {...action} />
    </Form>
  );
};

/** Throws what the form shows. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf(':');
        if (at < 1) throw new Error('A header is a name, a colon and a value.');
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );

const bodyOf = (text: string): unknown => {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The body is not JSON. Put placeholders inside texts: {"title": "{{title}}"}.');
  }
};
