// Keys: made by owners and shown once, revoked at once.
import { useState } from 'preact/hooks';
import { useDesk, useTime } from '../context.ts';
import type { Key, NewKey } from '../records.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { SelectField, TextField } from '../ui/fields/field.tsx';
import { Form, SendButton } from '../ui/fields/form.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { Secret } from '../ui/secret.tsx';

const TYPES = [
  ['content', 'Content: reads the content interface'],
  ['admin', 'Admin: writes, for a program'],
  ['hook', 'Hook: asks for a build'],
] as const;

export const Keys = () => {
  const { api } = useDesk();
  const [made, setMade] = useState<NewKey | null>(null);
  const { value, error, reload } = useLoaded(() => api.get<{ keys: Key[] }>('/keys/'), [api]);
  return (
    <>
      <div class="head">
        <h1>Keys</h1>
      </div>
      <Failed error={error} />
      {made !== null && (
        <Secret label={`The key ${made.name}, shown only once`} secret={made.key} />
      )}
      <ul class="records">
        {value?.keys.map((key) => (
          <Item key={key.id} apiKey={key} onRevoked={reload} />
        ))}
      </ul>
      <NewForm
        onMade={(key) => {
          setMade(key);
          reload();
        }}
      />
    </>
  );
};

const Item = ({ apiKey, onRevoked }: { apiKey: Key; onRevoked: () => void }) => {
  const { api } = useDesk();
  const time = useTime();
  const action = useAction();
  const { id, name, type, is_owner, last_seen_at, revoked_at } = apiKey;
  const revoke = (): Promise<void> =>
    action.run(async () => {
      const ends = is_owner ? '' : ', and its webhooks send nothing';
      if (!confirm(`Revoke the key ${name}? Programs that use it are refused at once${ends}.`))
        return null;
      await api.send('DELETE', `/keys/${id}/`);
      onRevoked();
      return null;
    });
  return (
    <li>
      <Badge state={revoked_at === null ? type : 'revoked'} />
      <span class="grow">
        {name} {is_owner && <span class="hint">owner</span>}
        <div class="hint">
          {last_seen_at === null ? 'Never used' : `Last used ${time(last_seen_at)}`}
          {revoked_at !== null && `, revoked ${time(revoked_at)}`}
        </div>
      </span>
      {revoked_at === null && (
        <button type="button" class="danger" disabled={action.isBusy} onClick={revoke}>
          Revoke
        </button>
      )}
      <div class="whole">
        <Outcome {...action} />
      </div>
    </li>
  );
};

const NewForm = ({ onMade }: { readonly onMade: (key: NewKey) => void }) => {
  const { api } = useDesk();
  const action = useAction();
  const [type, setType] = useState<Key['type']>('content');
  const [name, setName] = useState('');
  const create = (): Promise<void> =>
    action.run(async () => {
      const answer = await api.send<{ keys: NewKey[] }>('POST', '/keys/', {
        keys: [{ type, name: name.trim() }],
      });
      const [made] = answer.keys;
      if (made !== undefined) onMade(made);
      setName('');
      return 'Created the key.';
    });
  return (
    <Form class="card">
      <h2>New key</h2>
      <SelectField label="What it may do" value={type} options={TYPES} onChange={setType} />
      <TextField label="Name" required maxLength={191} value={name} onChange={setName} />
      <SendButton isDisabled={action.isBusy} onSend={create}>
        Create key
      </SendButton>
      <Outcome {...action} />
    </Form>
  );
};
