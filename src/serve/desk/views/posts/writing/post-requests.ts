// What the admin interface is asked of one post: to read it, and to store what was changed.
import { type Api, isRefusal } from '../../../api.ts';
import type { Move } from '../post-move.ts';
import {
  type AnyPost,
  type Body,
  changesOf,
  type Draft,
  type PostRoot,
  titleOf,
} from './post-draft.ts';

export type Answer = Partial<Record<PostRoot, AnyPost[]>>;

/** What the form has of a post. */
export const WHOLE = { formats: 'html,lexical,mobiledoc', include: 'tags' } as const;

export const readPost = async (api: Api, root: PostRoot, id: string): Promise<AnyPost> => {
  const post = firstOf(root, await api.get<Answer>(`/${root}/${id}/`, WHOLE));
  if (post.lexical || !post.mobiledoc) return post;
  const body = { bodies: [{ mobiledoc: post.mobiledoc }] };
  const converted = await api
    .send<{ bodies: [{ lexical: string | null }] }>('POST', '/bodies/', body)
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      // One that cannot be converted is opened as its html.
      return null;
    });
  const opened = converted?.bodies[0].lexical;
  return opened ? { ...post, opened } : post;
};

const firstOf = (root: PostRoot, answer: Answer): AnyPost => {
  const [post] = answer[root] ?? [];
  if (post === undefined) throw new Error('The server answered no post.');
  return post;
};

/** What a save begins with: the post as it is known, the form and the text as they are now. */
export type Start = { readonly post: AnyPost | null; readonly draft: Draft; readonly body: Body };

/** `auto`: it is told to nobody. `last`: the last save of those is. */
export type Sitting = 'auto' | 'last' | null;

const SITTINGS = { auto: { autosave: '1' }, last: { save_revision: '1' } } as const;

export const writePost = async (
  api: Api,
  root: PostRoot,
  { post, draft, body, ...how }: Start & { move: Move | null; sitting: Sitting; blank: Draft },
): Promise<AnyPost> => {
  const { move, sitting, blank } = how;
  const changes = { ...changesOf({ post, draft, body }, blank), ...move };
  const query = new URLSearchParams({ formats: WHOLE.formats, ...(sitting && SITTINGS[sitting]) });
  if (body !== null && 'html' in body) query.set('source', 'html');
  const element =
    post === null
      ? { ...changes, title: titleOf(draft) }
      : { ...changes, updated_at: post.updated_at };
  const [method, path] =
    post === null ? (['POST', `/${root}/`] as const) : (['PUT', `/${root}/${post.id}/`] as const);
  const answer = await api.send<Answer>(method, `${path}?${query}`, { [root]: [element] });
  const stored = firstOf(root, answer);
  // Without a Mobiledoc, what it was opened as is not that of the post any more.
  return { ...stored, opened: stored.mobiledoc ? post?.opened : undefined };
};
