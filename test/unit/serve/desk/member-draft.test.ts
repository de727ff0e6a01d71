import { describe, expect, test } from 'vitest';
import {
  hasChangedList,
  type MemberDraft,
  memberChangesOf,
  memberDraftOf,
  mergeLists,
} from '../../../../src/serve/desk/views/members/member-draft.ts';

const draftOf = (fields: Partial<MemberDraft>): MemberDraft => ({
  ...memberDraftOf(null),
  ...fields,
});

describe('the lists of a member that is edited elsewhere, too', () => {
  const before = draftOf({ labels: 'Old, Gone', newsletters: ['n1', 'n2'] });
  const newest = draftOf({ labels: 'Old, Gone, "Theirs, too"', newsletters: ['n2', 'n3'] });

  test('keep what was added and taken out on both sides', () => {
    const draft = { ...before, labels: 'Old, Mine', newsletters: ['n1', 'n2', 'n4'] };
    expect(memberChangesOf(before, mergeLists({ before, draft, newest }))).toEqual({
      labels: [{ name: 'Old' }, { name: 'Theirs, too' }, { name: 'Mine' }],
      newsletters: [{ id: 'n2' }, { id: 'n3' }, { id: 'n4' }],
    });
  });

  test('are not sent where only other fields were typed into', () => {
    const draft = { ...before, note: 'Typed.' };
    expect(hasChangedList(before, draft)).toBe(false);
    expect(memberChangesOf(before, mergeLists({ before, draft, newest }))).toEqual({
      note: 'Typed.',
    });
  });
});
