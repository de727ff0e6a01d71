// Where a post stands and where it can go: saved, published, scheduled, taken back, deleted. Readers see what "Update"
// saves at once, so that a draft alone has a button that says "Save".
import type { ComponentChild } from 'preact';
import { useId } from 'preact/hooks';
import { useTime } from '../../context.ts';
import { TimeField } from '../../ui/fields/time-field.tsx';
import type { Move } from './post-move.ts';
import { ViewPost } from './view-post.tsx';
import {
  AHEAD,
  type AnyPost,
  DATELESS,
  hasPassed,
  isLate,
  NOTHING,
  PAST,
} from './writing/post-draft.ts';

type Props = {
  readonly post: AnyPost | null;
  readonly isBusy: boolean;
  /** Whether pages for readers are made. */
  readonly hasPages: boolean;
  readonly isChanged: boolean;
  /** Whether there is nothing to publish. */
  readonly isEmpty: boolean;
  /** Its date, as the field has it. */
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
  const { hasPages, onPreview, onRemove, children } = props;
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
      {post !== null && <Appearance post={post} hasPages={hasPages} />}
      <Schedule
        at={at}
        status={status}
        stored={post?.published_at ?? null}
        isBusy={isBusy || isEmpty}
        onDate={onDate}
        onMove={onMove}
      />
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
  readonly status: AnyPost['status'];
  /** Its date, as the server has it. */
  readonly stored: string | null;
};

const Schedule = ({ at, status, stored, isBusy, onDate, onMove }: ScheduleProps) => (
  <details open={status === 'scheduled'}>
    <summary>{status === 'draft' ? 'Schedule' : 'Date'}</summary>
    <TimeField
      label={status === 'published' || status === 'sent' ? 'Published at' : 'Appears at'}
      value={at}
      fault={faultOf(at, status)}
      onChange={onDate}
    />
    {status !== 'draft' && stored !== null && at === '' && (
      <button type="button" onClick={() => onDate(stored)}>
        Restore the date
      </button>
    )}
    {status === 'draft' && (
      <button
        type="button"
        disabled={isBusy || at === ''}
        onClick={() => onMove({ status: 'scheduled', published_at: at })}
      >
        Schedule
      </button>
    )}
  </details>
);

const faultOf = (at: string, status: AnyPost['status']): string | null => {
  if (at === '') return status === 'draft' ? null : DATELESS[status];
  const isPast = hasPassed(at);
  if (status === 'published') return isPast ? null : AHEAD;
  return isPast && status !== 'sent' ? PAST : null;
};

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
const Appearance = ({ post, hasPages }: AppearanceProps) => {
  const at = useTime()(post.published_at);
  return (
    <>
      {post.status === 'published' && (
        <p>
          Published {at}. <ViewPost post={post} hasPages={hasPages} />
        </p>
      )}
      {post.status === 'scheduled' && (
        <p>
          {isLate(post) ? 'It is still scheduled, though it was to appear' : 'It appears'} {at}.
        </p>
      )}
    </>
  );
};

type AppearanceProps = Pick<Props, 'hasPages'> & { readonly post: NonNullable<Props['post']> };
