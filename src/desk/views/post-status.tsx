// Where a post stands and where it can go: saved, published, scheduled, taken back, deleted.
import { useState } from 'preact/hooks';
import { TextField } from '../ui/field.tsx';
import { localInput, time } from '../ui/words.ts';
import type { AnyPost } from './post-draft.ts';

/** What a save changes of the status. */
export type Move = {
  readonly status?: 'draft' | 'published' | 'scheduled';
  readonly published_at?: string | null;
};

type Props = {
  readonly post: AnyPost | null;
  readonly isBusy: boolean;
  readonly isChanged: boolean;
  readonly onSave: (move?: Move) => void;
  readonly onPreview: () => void;
  readonly onRemove: () => void;
};

export const PostStatus = ({ post, isBusy, isChanged, onSave, onPreview, onRemove }: Props) => {
  const status = post?.status ?? 'draft';
  return (
    <section class="card">
      <h2 class="visually-hidden">Publishing</h2>
      <div class="buttons">
        {status === 'draft' && (
          <button
            type="button"
            class="main"
            disabled={isBusy}
            onClick={() => onSave({ status: 'published' })}
          >
            Publish
          </button>
        )}
        <button
          type="submit"
          {...(status !== 'draft' && { class: 'main' })}
          disabled={isBusy || (post !== null && !isChanged)}
        >
          {status === 'draft' ? 'Save draft' : 'Save'}
        </button>
        <button type="button" disabled={post === null} onClick={onPreview}>
          Preview
        </button>
      </div>
      {status === 'published' && (
        <p>
          Published {time(post?.published_at)}.{' '}
          <a href={post?.url ?? ''} target="_blank" rel="noreferrer">
            See it
          </a>
        </p>
      )}
      {status === 'scheduled' && <p>It appears {time(post?.published_at)}.</p>}
      {(status === 'draft' || status === 'scheduled') && (
        <Schedule
          at={status === 'scheduled' ? (post?.published_at ?? null) : null}
          isBusy={isBusy}
          onSave={onSave}
        />
      )}
      {(status === 'published' || status === 'scheduled') && (
        <button type="button" disabled={isBusy} onClick={() => onSave({ status: 'draft' })}>
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

type ScheduleProps = Pick<Props, 'isBusy' | 'onSave'> & { readonly at: string | null };

const Schedule = ({ at, isBusy, onSave }: ScheduleProps) => {
  const [text, setText] = useState(at === null ? '' : localInput(at));
  const schedule = (): void =>
    onSave({ status: 'scheduled', published_at: new Date(text).toISOString() });
  return (
    <details open={at !== null}>
      <summary>Schedule</summary>
      <TextField
        label="Appears at"
        hint="In the time zone of this computer."
        type="datetime-local"
        value={text}
        onChange={setText}
      />
      <button type="button" disabled={isBusy || text === ''} onClick={schedule}>
        Schedule
      </button>
    </details>
  );
};
