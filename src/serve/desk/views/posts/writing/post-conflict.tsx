// A save that was refused because the post was changed elsewhere: what changed, and the two ways to go on.
import { useTime } from '../../../context.ts';
import { conflictWords } from './post-conflict-words.ts';
import type { AnyPost } from './post-draft.ts';

type Props = {
  readonly known: AnyPost;
  readonly newest: AnyPost;
  readonly isBusy: boolean;
  readonly onSaveOver: () => void;
  readonly onLoadNewer: () => void;
};

export const PostConflict = ({ known, newest, isBusy, onSaveOver, onLoadNewer }: Props) => {
  const time = useTime();
  return (
    <div class="note" role="alert">
      <p>{conflictWords(known, newest, time(newest.updated_at))}</p>
      <p>Your text is still here and is not saved yet.</p>
      <p class="buttons">
        <button type="button" disabled={isBusy} onClick={onSaveOver}>
          Overwrite with mine
        </button>
        <button type="button" disabled={isBusy} onClick={onLoadNewer}>
          Load the newer version
        </button>
      </p>
    </div>
  );
};
