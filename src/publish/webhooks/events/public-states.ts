// Posts and pages as strangers can read them, where their rows cannot be rendered: events speak of what is shown.
import type { PostRecord } from '../../../publication/documents/admin/document-context.ts';
import type { LastGoodRow, SetAsideEntry } from '../../../publication/snapshot/last-good-row.ts';
import type { RecordRow, Snapshot } from '../../../publication/snapshot/snapshot.ts';
import type { RecordStates } from './record-states.ts';

/** The same states, with what is shown in place of broken rows. */
export const publicStates = (
  states: RecordStates,
  snapshot: Pick<Snapshot, 'setAside' | 'lastGoodRow'>,
): RecordStates => {
  const entries = new Map(
    snapshot
      .setAside()
      .filter(({ entity }) => entity === 'posts')
      .map((entry) => [entry.id, entry]),
  );
  if (entries.size === 0) return states;
  return {
    ...states,
    post: (id, seq) => {
      const state = states.post(id, seq);
      const entry = entries.get(id);
      if (state === null || entry === undefined || !isBrokenAt(entry, seq)) return state;
      if (entry.hiddenSeq !== null) return seq < entry.hiddenSeq ? state : asDraft(state);
      const kept = snapshot.lastGoodRow('posts', id);
      return kept === null ? state : withKept(state, kept);
    },
  };
};

const isBrokenAt = ({ brokenSeq, changedSeq, isCurrent }: SetAsideEntry, seq: number): boolean =>
  seq >= brokenSeq && (isCurrent || (changedSeq !== null && seq < changedSeq));

const asDraft = (state: PostRecord): PostRecord =>
  state.post.status === 'published'
    ? { ...state, post: { ...state.post, status: 'draft' } }
    : state;

const withKept = (state: PostRecord, { row, meta }: LastGoodRow): PostRecord => ({
  ...state,
  post: row as RecordRow<'posts'>,
  meta: meta as RecordRow<'posts_meta'> | null,
});
