// Writes and edits a post or a page: loads it, holds the form, and saves, publishes, schedules or takes it back.
import { useEffect, useState } from 'preact/hooks';
import { useDesk } from '../context.ts';
import { go } from '../route.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { PostBody } from './post-body.tsx';
import {
  type AnyPost,
  type Body,
  changesOf,
  type Draft,
  draftOf,
  EMPTY,
  type PostRoot,
} from './post-draft.ts';
import { PostFields } from './post-fields.tsx';
import { type Move, PostStatus } from './post-status.tsx';
import { Preview } from './preview.tsx';

type Props = { readonly root: PostRoot; readonly id: string | null };

const READ = { formats: 'html,lexical,mobiledoc', include: 'tags' };

export const PostEdit = ({ root, id }: Props) => {
  const { api } = useDesk();
  const { value, error } = useLoaded(
    async () =>
      id === null ? null : firstOf(root, await api.get<Answer>(`/${root}/${id}/`, READ)),
    [api, root, id],
  );
  if (id !== null && value === null) {
    return error === null ? <p>Loading…</p> : <Failed error={error} />;
  }
  return <PostForm root={root} post={value} />;
};

type Answer = Partial<Record<PostRoot, AnyPost[]>>;

const firstOf = (root: PostRoot, answer: Answer): AnyPost => {
  const [post] = answer[root] ?? [];
  if (post === undefined) throw new Error('The server answered no post.');
  return post;
};

const PostForm = ({ root, post: loaded }: { root: PostRoot; post: AnyPost | null }) => {
  const { api } = useDesk();
  const [post, setPost] = useState(loaded);
  const [draft, setDraft] = useState<Draft>(loaded === null ? EMPTY : draftOf(loaded));
  const [body, setBody] = useState<Body>(null);
  const [isPreviewed, setPreviewed] = useState(false);
  const action = useAction();
  const before = post === null ? EMPTY : draftOf(post);
  const changes = changesOf(before, draft, body);
  const isChanged = Object.keys(changes).length > 0;
  const noun = root === 'posts' ? 'post' : 'page';
  useEffect(() => {
    if (!isChanged) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

  const save = (move: Move = {}): Promise<void> =>
    action.run(async () => {
      const element = { ...changes, ...move };
      const query = new URLSearchParams({ formats: READ.formats });
      if (body !== null && 'html' in body) query.set('source', 'html');
      const answer = await (post === null
        ? api.send<Answer>('POST', `/${root}/?${query}`, {
            [root]: [{ ...element, title: draft.title.trim() || '(Untitled)' }],
          })
        : api.send<Answer>('PUT', `/${root}/${post.id}/?${query}`, {
            [root]: [{ ...element, updated_at: post.updated_at }],
          }));
      const saved = firstOf(root, answer);
      setPost(saved);
      setDraft(draftOf(saved));
      setBody(null);
      // The address of what is new, without loading it again.
      if (post === null) history.replaceState(null, '', `#/${root}/${saved.id}`);
      return DONE[saved.status];
    });
  const remove = (): Promise<void> =>
    action.run(async () => {
      if (post === null || !confirm(`Delete "${post.title}"? This cannot be undone.`)) return null;
      await api.send('DELETE', `/${root}/${post.id}/`);
      go(`/${root}`);
      return null;
    });

  return (
    <form
      class="post"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="head">
        <h1>{post === null ? `New ${noun}` : `Edit ${noun}`}</h1>
        {post !== null && <Badge state={post.status} />}
        {isChanged && <span class="hint">Not saved yet</span>}
      </div>
      <div class="columns">
        <div class="text">
          <label class="visually-hidden" for="post-title">
            Title
          </label>
          <input
            id="post-title"
            class="title"
            placeholder="Title"
            maxLength={255}
            value={draft.title}
            onInput={(event) => setDraft({ ...draft, title: event.currentTarget.value })}
          />
          <PostBody post={post} isChanged={body !== null} onChange={setBody} />
        </div>
        <aside>
          <PostStatus
            post={post}
            isBusy={action.isBusy}
            isChanged={isChanged}
            onSave={save}
            onPreview={() => setPreviewed(true)}
            onRemove={remove}
          />
          <Outcome {...action} />
          <PostFields draft={draft} onChange={setDraft} isPage={root === 'pages'} />
        </aside>
      </div>
      {isPreviewed && post !== null && (
        <Preview post={post} isChanged={isChanged} onClose={() => setPreviewed(false)} />
      )}
    </form>
  );
};

const DONE: Readonly<Record<AnyPost['status'], string>> = {
  draft: 'Saved as a draft.',
  published: 'Saved and published.',
  scheduled: 'Saved and scheduled.',
  sent: 'Saved.',
};
