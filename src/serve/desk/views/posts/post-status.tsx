// Where a post stands and where it can go: saved, published, scheduled, taken back, deleted. Readers see what "Update"
// saves at once, so that a draft alone has a button that says "Save".
import type { ComponentChild } from 'preact';
import { useId } from 'preact/hooks';
import { TextField } from '../../ui/field.tsx';
import { isoOf, localInput, time } from '../../ui/words.ts';
import { type AnyPost, DATELESS, isLate, NOTHING } from './post-draft.ts';
import type { Move } from './post-move.ts';

type Props = {
  readonly post: AnyPost | null;
  readonly isBusy: boolean;
  readonly isChanged: boolean;
  /** Whether there is nothing to publish. */
  readonly isEmpty: boolean;
  /** When it appears, as the field has it. */
  readonly at: string;
  readonly onDate: (at: string) => void;
  readonly onSave: () => void;
  readonly onMove: (move: Move) => void;
  readonly onPreview: () => void;
  readonly onRemove: () => void;
  /** What became of it. */
  readonly children: ComponentChild;
};

export const PostStatus = (props: Props) => {
  const { post, isBusy, isChanged, isEmpty, at, onDate, onSave, onMove } = props;
  const { onPreview, onRemove, children } = props;
  const status = post?.status ?? 'draft';
  return (
    <section class="card">
      <h2 class="visually-hidden">Publishing</h2>
      <div class="bar">
        <div class="buttons">
          <SaveButtons
            isDraft={status === 'draft'}
            isBusy={isBusy}
            isSaved={post !== null && !isChanged}
            isEmpty={isEmpty}
            onSave={onSave}
            onMove={onMove}
          />
          <button type="button" disabled={post === null} onClick={onPreview}>
            Preview
          </button>
        </div>
        {children}
      </div>
      {post !== null && <Appearance post={post} />}
      {(status === 'draft' || status === 'scheduled') && (
        <Schedule
          at={at}
          stored={post?.status === 'scheduled' ? post.published_at : null}
          isScheduled={status === 'scheduled'}
          isBusy={isBusy || isEmpty}
          onDate={onDate}
          onMove={onMove}
        />
      )}
      {(status === 'published' || status === 'scheduled') && (
        <button type="button" disabled={isBusy} onClick={() => onMove({ status: 'draft' })}>
          {status === 'published' ? 'Unpublish' : 'Back to draft'}
        </button>
      )}
      {post !== null && (
        <button type="button" class="danger" disabled={isBusy} onClick={onRemove}>
          Delete
        </button>
      )}
    </section>
  );
};

type ScheduleProps = Pick<Props, 'at' | 'isBusy' | 'onDate' | 'onMove'> & {
  readonly isScheduled: boolean;
  /** When it appears, as the server has it. */
  readonly stored: string | null;
};

const Schedule = ({ at, isScheduled, stored, isBusy, onDate, onMove }: ScheduleProps) => {
  const published_at = isoOf(at);
  return (
    <details open={isScheduled}>
      <summary>Schedule</summary>
      <TextField
        label="Appears at"
        hint={hintOf(published_at, isScheduled)}
        type="datetime-local"
        value={at}
        onChange={onDate}
      />
      {stored !== null && published_at === null && (
        <button type="button" onClick={() => onDate(localInput(stored))}>
          Restore the date
        </button>
      )}
      {!isScheduled && (
        <button
          type="button"
          disabled={isBusy || published_at === null}
          onClick={() => onMove({ status: 'scheduled', published_at })}
        >
          Schedule
        </button>
      )}
    </details>
  );
};

const hintOf = (published_at: string | null, isScheduled: boolean): string => {
  if (published_at === null && isScheduled) return DATELESS;
  return isPast(published_at) ? PAST : 'In the time zone of this computer.';
};

const PAST = 'This time is in the past. Choose a later one.';

const isPast = (at: string | null): boolean => at !== null && Date.parse(at) < Date.now();

type SaveButtonsProps = Pick<Props, 'isBusy' | 'isEmpty' | 'onSave' | 'onMove'> & {
  readonly isDraft: boolean;
  readonly isSaved: boolean;
};

const SaveButtons = (props: SaveButtonsProps) => {
  const { isDraft, isBusy, isSaved, isEmpty, onSave, onMove } = props;
  const hintId = useId();
  const save = (
    <button
      type="button"
      {...(!isDraft && { class: 'main' })}
      disabled={isBusy || isSaved}
      onClick={onSave}
    >
      {isDraft ? 'Save draft' : 'Update'}
    </button>
  );
  if (!isDraft) return save;
  return (
    <>
      <button
        type="button"
        class="main"
        disabled={isBusy || isEmpty}
        {...(isEmpty && { 'aria-describedby': hintId })}
        onClick={() => onMove({ status: 'published' })}
      >
        Publish
      </button>
      {save}
      {isEmpty && (
        <small id={hintId} class="hint">
          {NOTHING}
        </small>
      )}
    </>
  );
};

/** Since when, or when, readers find it. */
const Appearance = ({ post }: { readonly post: NonNullable<Props['post']> }) => (
  <>
    {post.status === 'published' && (
      <p>
        Published {time(post.published_at)}.{' '}
        <a class="unbroken" href={post.url ?? ''} target="_blank" rel="noreferrer">
          View post
        </a>
      </p>
    )}
    {post.status === 'scheduled' && (
      <p>
        {isLate(post) ? 'It is still scheduled, though it was to appear' : 'It appears'}{' '}
        {time(post.published_at)}.
      </p>
    )}
  </>
);
