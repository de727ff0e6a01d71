// What of a post was saved before: one that is taken back stands in the editor, and is not saved yet.
import { useState } from 'preact/hooks';
import { useDesk, useTime } from '../../../context.ts';
import type { ListedRevision, Revision } from '../../../records.ts';
import { Failed } from '../../../ui/failed.tsx';
import { useAction, useLoaded } from '../../../ui/hooks.ts';
import { Outcome } from '../../../ui/outcome.tsx';
import type { AnyPost, PostRoot } from './post-draft.ts';

type Props = {
  readonly root: PostRoot;
  readonly post: AnyPost;
  readonly isBusy: boolean;
  readonly onRestore: (revision: Revision) => void;
};

export const PostRevisions = ({ root, post, isBusy, onRestore }: Props) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Revisions</summary>
      {isOpen && <List {...{ root, post, isBusy, onRestore }} />}
    </details>
  );
};

const List = ({ root, post, isBusy, onRestore }: Props) => {
  const { api } = useDesk();
  const time = useTime();
  const action = useAction();
  const { value, error } = useLoaded(
    () => api.get<{ revisions: ListedRevision[] }>(`/${root}/${post.id}/revisions/`),
    [api, post.id, post.updated_at],
  );
  const restore = (id: string): Promise<void> =>
    action.run(async () => {
      const { revisions } = await api.get<{ revisions: [Revision] }>(`/revisions/${id}/`);
      onRestore(revisions[0]);
      return 'It is in the editor, and not saved yet.';
    });
  return (
    <>
      <Failed error={error} />
      <ul class="records">
        {value?.revisions.map(({ id, title, created_at, by }) => (
          <li key={id}>
            <p>
              {title} <span class="hint">{[time(created_at), by].filter(Boolean).join(', ')}</span>
            </p>
            <button
              type="button"
              disabled={isBusy || action.isBusy}
              aria-label={`Restore the revision of ${time(created_at)}`}
              onClick={() => restore(id)}
            >
              Restore
            </button>
          </li>
        ))}
      </ul>
      {value?.revisions.length === 0 && <p class="hint">There are none yet.</p>}
      <Outcome {...action} />
    </>
  );
};
