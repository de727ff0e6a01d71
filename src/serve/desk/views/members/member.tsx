// One member: name, address, labels, newsletters and note to edit, and what is known beside them.
import { useState } from 'preact/hooks';
import { type Api, saveFailure } from '../../api.ts';
import { useDesk } from '../../context.ts';
import { NAMES_HINT } from '../../name-list.ts';
import type { Member, Newsletter } from '../../records.ts';
import { go, useNameNew, useUnsaved } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/failed.tsx';
import { changedNames, textOf, useDraft } from '../../ui/fields/draft.ts';
import { CheckField, TextField } from '../../ui/fields/field.tsx';
import { Form, SendButton } from '../../ui/fields/form.tsx';
import { useAction, useLoaded } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import {
  hasChangedList,
  type MemberDraft,
  memberChangesOf,
  memberDraftOf,
  mergeLists,
} from './member-draft.ts';
import { MemberFacts } from './member-facts.tsx';

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
  const { before, draft, set, follow } = useDraft<MemberDraft>(memberDraftOf(loaded));
  const text = textOf(draft, set);
  const action = useAction();
  const isChanged = changedNames(before, draft).length > 0;
  const giveUp = useUnsaved(isChanged);
  const nameNew = useNameNew('members');
  const save = (): Promise<void> =>
    action.run(async () => {
      const saved = await writeMember(api, { member, before, draft }).catch((error: unknown) => {
        throw member === null ? error : saveFailure(error);
      });
      if (member === null) nameNew(saved.id);
      setMember({ ...saved, attribution: member?.attribution ?? null });
      follow(memberDraftOf(saved), draft);
      return 'Saved.';
    });
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
    <Form>
      <div class="head">
        <h1>{member === null ? 'New member' : member.name || member.email}</h1>
        {member !== null && <Badge state={member.status} />}
      </div>
      <div class="columns">
        <section class="card">
          <TextField label="Name" maxLength={191} {...text('name')} />
          <TextField
            label="E-mail address"
            type="email"
            required
            maxLength={191}
            {...text('email')}
          />
          <TextField label="Labels" hint={NAMES_HINT} {...text('labels')} />
          <TextField
            label="Note"
            hint="For yourself; members never see it."
            rows={4}
            maxLength={2000}
            {...text('note')}
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
            <SendButton isDisabled={action.isBusy || !isChanged} onSend={save}>
              Save
            </SendButton>
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
    </Form>
  );
};

type Edited = {
  readonly member: Member | null;
  readonly before: MemberDraft;
  readonly draft: MemberDraft;
};

/** Lists that were changed here are merged with what the server has by now. */
const mergedChanges = async (
  api: Api,
  { member, before, draft }: Edited,
): Promise<Record<string, unknown>> => {
  if (member === null || !hasChangedList(before, draft)) return memberChangesOf(before, draft);
  const { members } = await api.get<{ members: [Member] }>(`/members/${member.id}/`, INCLUDE);
  const newest = memberDraftOf(members[0]);
  return memberChangesOf(before, mergeLists({ before, draft, newest }));
};

const writeMember = async (api: Api, edited: Edited): Promise<Member> => {
  const { member } = edited;
  const body = { members: [await mergedChanges(api, edited)] };
  const query = new URLSearchParams(INCLUDE);
  const [method, path] =
    member === null
      ? (['POST', '/members/'] as const)
      : (['PUT', `/members/${member.id}/`] as const);
  const answer = await api.send<{ members: Member[] }>(method, `${path}?${query}`, body);
  const [saved] = answer.members;
  if (saved === undefined) throw new Error('The server answered no member.');
  return saved;
};
