// One member: name, address, labels, newsletters and note to edit, and what is known beside them.
import { useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import { useDesk } from '../context.ts';
import { formatNames, NAMES_HINT, parseNames } from '../name-list.ts';
import type { Member, Newsletter } from '../records.ts';
import { go, useNameNew, useUnsaved } from '../route.ts';
import { Badge } from '../ui/badge.tsx';
import { changedNames, mergeList, useDraft } from '../ui/draft.ts';
import { Failed } from '../ui/failed.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { MemberFacts } from './member-facts.tsx';

type Draft = {
  readonly name: string;
  readonly email: string;
  readonly note: string;
  /** As name-list.ts writes them. */
  readonly labels: string;
  /** Ids. */
  readonly newsletters: readonly string[];
};

const draftOf = (member: Member | null): Draft => ({
  name: member?.name ?? '',
  email: member?.email ?? '',
  note: member?.note ?? '',
  labels: formatNames((member?.labels ?? []).map(({ name }) => name)),
  newsletters: (member?.newsletters ?? []).map(({ id }) => id).toSorted(),
});

const INCLUDE = { include: 'newsletters,labels,tiers' };

export const MemberEdit = ({ id }: { readonly id: string | null }) => {
  const { api } = useDesk();
  const { value, error } = useLoaded(async () => {
    const [answer, { newsletters }] = await Promise.all([
      id === null ? null : api.get<{ members: Member[] }>(`/members/${id}/`, INCLUDE),
      api.get<{ newsletters: Newsletter[] }>('/newsletters/', {
        limit: 100,
        filter: 'status:active',
      }),
    ]);
    return { member: answer?.members[0] ?? null, newsletters };
  }, [api, id]);
  if (value === null) return error === null ? <p>Loading…</p> : <Failed error={error} />;
  return <MemberForm {...value} />;
};

type FormProps = { readonly member: Member | null; readonly newsletters: readonly Newsletter[] };

const MemberForm = ({ member: loaded, newsletters }: FormProps) => {
  const { api } = useDesk();
  const [member, setMember] = useState(loaded);
  const { before, draft, set, follow } = useDraft<Draft>(draftOf(loaded));
  const action = useAction();
  const changes = changesOf(before, draft);
  const isChanged = Object.keys(changes).length > 0;
  const giveUp = useUnsaved(isChanged);
  const nameNew = useNameNew('members');
  const save = (event: Event): void => {
    event.preventDefault();
    action.run(async () => {
      const body = { members: [await mergedChanges(api, member, { before, draft })] };
      const query = new URLSearchParams(INCLUDE);
      const path = member === null ? `/members/?${query}` : `/members/${member.id}/?${query}`;
      const answer = await api.send<{ members: Member[] }>(
        member === null ? 'POST' : 'PUT',
        path,
        body,
      );
      const [saved] = answer.members;
      if (saved === undefined) throw new Error('The server answered no member.');
      if (member === null) nameNew(saved.id);
      setMember({ ...saved, attribution: member?.attribution ?? null });
      follow(draftOf(saved), draft);
      return 'Saved.';
    });
  };
  const remove = (): Promise<void> =>
    action.run(async () => {
      if (member === null || !confirm(`Delete ${member.email}? This cannot be undone.`))
        return null;
      await api.send('DELETE', `/members/${member.id}/`);
      giveUp();
      go('/members');
      return null;
    });
  return (
    <form onSubmit={save}>
      <div class="head">
        <h1>{member === null ? 'New member' : member.name || member.email}</h1>
        {member !== null && <Badge state={member.status} />}
      </div>
      <div class="columns">
        <section class="card">
          <TextField
            label="Name"
            maxLength={191}
            value={draft.name}
            onChange={(name) => set({ name })}
          />
          <TextField
            label="E-mail address"
            type="email"
            required
            maxLength={191}
            value={draft.email}
            onChange={(email) => set({ email })}
          />
          <TextField
            label="Labels"
            hint={NAMES_HINT}
            value={draft.labels}
            onChange={(labels) => set({ labels })}
          />
          <TextField
            label="Note"
            hint="For yourself; members never see it."
            rows={4}
            maxLength={2000}
            value={draft.note}
            onChange={(note) => set({ note })}
          />
          <fieldset class="choices">
            <legend>Newsletters</legend>
            {newsletters.map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                isChecked={draft.newsletters.includes(id)}
                onChange={(isChecked) => {
                  const others = draft.newsletters.filter((one) => one !== id);
                  set({ newsletters: isChecked ? [...others, id].toSorted() : others });
                }}
              />
            ))}
            {newsletters.length === 0 && <p class="hint">There is no active newsletter.</p>}
          </fieldset>
          <div class="buttons">
            <button type="submit" class="main" disabled={action.isBusy || !isChanged}>
              Save
            </button>
            {member !== null && (
              <button type="button" class="danger" disabled={action.isBusy} onClick={remove}>
                Delete
              </button>
            )}
          </div>
          <Outcome {...action} />
        </section>
        {member !== null && <MemberFacts member={member} />}
      </div>
    </form>
  );
};

const FIELDS: Readonly<Record<keyof Draft, (draft: Draft) => unknown>> = {
  name: ({ name }) => name.trim(),
  email: ({ email }) => email.trim(),
  note: ({ note }) => note,
  labels: ({ labels }) => parseNames(labels),
  newsletters: ({ newsletters }) => newsletters.map((id) => ({ id })),
};

/** Lists that were changed here are merged with what the server has by now. */
const mergedChanges = async (
  api: Api,
  member: Member | null,
  { before, draft }: { readonly before: Draft; readonly draft: Draft },
): Promise<Record<string, unknown>> => {
  if (member === null) return changesOf(before, draft);
  const { members } = await api.get<{ members: [Member] }>(`/members/${member.id}/`, INCLUDE);
  const newest = draftOf(members[0]);
  const labels = mergeList({
    before: namesOf(before.labels),
    now: namesOf(draft.labels),
    newest: namesOf(newest.labels),
  });
  const newsletters = mergeList({
    before: before.newsletters,
    now: draft.newsletters,
    newest: newest.newsletters,
  });
  return changesOf(before, { ...draft, labels: formatNames(labels), newsletters });
};

const namesOf = (text: string): string[] => parseNames(text).map(({ name }) => name);

const changesOf = (before: Draft, draft: Draft): Record<string, unknown> =>
  Object.fromEntries(
    changedNames(before, draft).map((name) => [name, FIELDS[name](draft)] as const),
  );
