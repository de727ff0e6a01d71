// A member while it is edited: what the form holds, and what is sent of it. Only what was changed is sent. Of a list that
// was changed, what others added or took out meanwhile stays so.
import { formatNames, parseNames } from '../../name-list.ts';
import type { Member } from '../../records.ts';
import { changedNames, mergeList } from '../../ui/fields/draft.ts';

export type MemberDraft = {
  readonly name: string;
  readonly email: string;
  readonly note: string;
  /** As name-list.ts writes them. */
  readonly labels: string;
  /** Ids. */
  readonly newsletters: readonly string[];
};

export const memberDraftOf = (member: Member | null): MemberDraft => ({
  name: member?.name ?? '',
  email: member?.email ?? '',
  note: member?.note ?? '',
  labels: formatNames((member?.labels ?? []).map(({ name }) => name)),
  newsletters: (member?.newsletters ?? []).map(({ id }) => id).toSorted(),
});

const FIELDS: Readonly<Record<keyof MemberDraft, (draft: MemberDraft) => unknown>> = {
  name: ({ name }) => name.trim(),
  email: ({ email }) => email.trim(),
  note: ({ note }) => note,
  labels: ({ labels }) => parseNames(labels),
  newsletters: ({ newsletters }) => newsletters.map((id) => ({ id })),
};

export const memberChangesOf = (before: MemberDraft, draft: MemberDraft): Record<string, unknown> =>
  Object.fromEntries(
    changedNames(before, draft).map((name) => [name, FIELDS[name](draft)] as const),
  );

/** Whether a list is sent, which replaces what the server has. */
export const hasChangedList = (before: MemberDraft, draft: MemberDraft): boolean =>
  changedNames(before, draft).some((name) => name === 'labels' || name === 'newsletters');

type Versions = {
  /** The member as it was known when the form was shown, or saved last. */
  readonly before: MemberDraft;
  readonly draft: MemberDraft;
  /** The member as the server has it now. */
  readonly newest: MemberDraft;
};

/** The draft with its changed lists merged; a list that was not changed stays as it was, so that it is not sent. */
export const mergeLists = ({ before, draft, newest }: Versions): MemberDraft => {
  const changed = changedNames(before, draft);
  const { newsletters } = newest;
  const labels = mergeList({
    before: namesOf(before),
    now: namesOf(draft),
    newest: namesOf(newest),
  });
  return {
    ...draft,
    ...(changed.includes('labels') && { labels: formatNames(labels) }),
    ...(changed.includes('newsletters') && {
      newsletters: mergeList({
        before: before.newsletters,
        now: draft.newsletters,
        newest: newsletters,
      }),
    }),
  };
};

const namesOf = ({ labels }: MemberDraft): string[] => parseNames(labels).map(({ name }) => name);
