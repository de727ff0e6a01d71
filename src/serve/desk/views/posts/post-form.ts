// The form of one post: what was typed, what of it is not stored yet, and what its buttons do. What somebody types while
// a save runs stays, and so does everything when the save is refused because the post was changed elsewhere. A draft is
// saved before it is published, so that the question names what is stored, its address included.
import { useRef, useState } from 'preact/hooks';
import { type Api, isCollision, isRefusal, saveFailure } from '../../api.ts';
import { useDesk } from '../../context.ts';
import type { Revision } from '../../records.ts';
import { go, useNameNew, useUnsaved } from '../../route.ts';
import { changedNames, keepTyped, useDraft } from '../../ui/fields/draft.ts';
import { useAction } from '../../ui/hooks.ts';
import { useUploading } from '../../upload.ts';
import { type Asked, doneOf, type Move } from './post-move.ts';
import { useAutosave, useSitting } from './writing/post-autosave.ts';
import { dropCopy, findCopy, useCopy } from './writing/post-copy.ts';
import {
  type AnyPost,
  type Body,
  changesOf,
  type Draft,
  draftOf,
  EMPTY,
  faultOf,
  isDateless,
  isEmpty,
  keptBody,
  keptDraft,
  type PostRoot,
  unsavedBody,
} from './writing/post-draft.ts';

type Answer = Partial<Record<PostRoot, AnyPost[]>>;

const FORMATS = 'html,lexical,mobiledoc';

export const readPost = async (api: Api, root: PostRoot, id: string): Promise<AnyPost> => {
  const query = { formats: FORMATS, include: 'tags' };
  const post = firstOf(root, await api.get<Answer>(`/${root}/${id}/`, query));
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
type Start = { readonly post: AnyPost | null; readonly draft: Draft; readonly body: Body };

/** `auto`: it is told to nobody. `last`: the last save of those is. */
type Sitting = 'auto' | 'last' | null;

const SITTINGS = { auto: { autosave: '1' }, last: { save_revision: '1' } } as const;

const writePost = async (
  api: Api,
  root: PostRoot,
  { post, draft, body, ...how }: Start & { move: Move | null; sitting: Sitting; blank: Draft },
): Promise<AnyPost> => {
  const { move, sitting, blank } = how;
  const changes = { ...changesOf({ post, draft, body }, blank), ...move };
  const query = new URLSearchParams({ formats: FORMATS, ...(sitting && SITTINGS[sitting]) });
  if (body !== null && 'html' in body) query.set('source', 'html');
  const element =
    post === null
      ? { ...changes, title: draft.title.trim() || '(Untitled)' }
      : { ...changes, updated_at: post.updated_at };
  const [method, path] =
    post === null ? (['POST', `/${root}/`] as const) : (['PUT', `/${root}/${post.id}/`] as const);
  const answer = await api.send<Answer>(method, `${path}?${query}`, { [root]: [element] });
  const stored = firstOf(root, answer);
  // Without a Mobiledoc, what it was opened as is not that of the post any more.
  return { ...stored, opened: stored.mobiledoc ? post?.opened : undefined };
};

type Question = Asked & {
  /** What had the focus. */
  readonly opener: Element | null;
};

/** `newName`: what the browser keeps a post under until it is saved once. */
type FormOptions = {
  readonly newName: string;
  readonly hasPages: boolean;
  /** Who may read a new post. */
  readonly access: Pick<Draft, 'visibility' | 'tiers'>;
};

export const usePostForm = (root: PostRoot, loaded: AnyPost | null, options: FormOptions) => {
  const { newName, hasPages, access } = options;
  const { api } = useDesk();
  const [firstName] = useState(loaded?.id ?? newName);
  const [copy, setCopy] = useState(() => findCopy({ root, name: firstName }));
  const first = copy ?? NO_COPY;
  /** A copy goes on from the post that it knew: when that was changed since, a save says so. */
  const [post, setPost] = useState(() => withTime(loaded, first.updated_at));
  const blank = { ...EMPTY, ...access };
  const initial = loaded === null ? blank : draftOf(loaded);
  const form = useDraft<Draft>(initial, keptDraft(first.draft));
  const [written, setWritten] = useState<Body>(() => keptBody(first.body));
  const [saved, setSaved] = useState<Body>(null);
  /** The post as it is stored now, which was not known when it was saved. */
  const [conflict, setConflict] = useState<AnyPost | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  /** The editor opens the post anew when this changes. */
  const [opening, setOpening] = useState(0);
  /** What is not saved by itself: the server refused it, or it is a revision that was taken back. */
  const [stopped, setStopped] = useState<string | null>(null);
  const [isDeleted, setDeleted] = useState(false);
  const action = useAction();
  const body = unsavedBody({ post, written, saved });
  const edited = { post, draft: form.draft, body };
  const isChanged = Object.keys(changesOf(edited, blank)).length > 0 || isDateless(edited);
  const isUploading = useUploading();
  const giveUp = useUnsaved(isChanged || isUploading, isUploading ? undefined : KEPT);
  useCopy(
    { root, name: post?.id ?? firstName },
    isChanged && !isDeleted ? copyOf({ ...edited, before: form.before }) : null,
  );
  /** Saves of this sitting that nobody was told of. */
  const isSilent = useRef(false);
  const nameNew = useNameNew(root);

  const reopen = (text: Body = null): void => {
    setWritten(text);
    setSaved(null);
    setOpening((before) => before + 1);
  };
  /** Answers the post as it is stored then; null: it was not saved. */
  const saveFrom = async (
    start: Start,
    move: Move | null = null,
    isAuto = false,
  ): Promise<AnyPost | null> => {
    let answer: AnyPost | null = null;
    const sitting = start.post && sittingOf(isAuto, isSilent.current);
    await action.run(async () => {
      setConflict(null);
      const fault = faultOf(start, move?.status ?? start.post?.status ?? 'draft');
      if (fault !== null) throw new Error(fault);
      try {
        const stored = await writePost(api, root, { ...start, move, sitting, blank });
        isSilent.current = sitting === 'auto';
        setCopy(null);
        setPost(stored);
        form.follow(draftOf(stored), {
          ...start.draft,
          at: sentDate(start, stored) ?? form.draft.at,
        });
        if (start.body !== null) setSaved(start.body);
        if (start.post === null) {
          dropCopy({ root, name: firstName });
          nameNew(stored.id);
        }
        answer = stored;
        return doneOf(stored, { hasPages });
      } catch (error) {
        if (isRefusal(error)) setStopped(textOf(start));
        if (start.post === null) throw error;
        if (!isCollision(error)) throw saveFailure(error);
        setConflict(await readPost(api, root, start.post.id));
        return null;
      }
    }, 'Saving…');
    return answer;
  };
  const save = async (): Promise<void> => {
    if (!isUploading) await saveFrom(edited);
  };
  const isDraft = isDraftOf(post);
  const text = textOf(edited);
  const stops = [!isDraft, !isChanged, isUploading, conflict !== null, action.isBusy];
  const isHeld = stops.includes(true) || text === stopped;
  useAutosave({
    pending: isHeld ? null : text,
    hasFailed: action.error !== null,
    onAutosave: () => void saveFrom(edited, null, true),
    // A key publishes nothing.
    onSave: () => void (isDraft && save()),
  });
  useSitting({
    onTick: api.prepare,
    onEnd: () => {
      // What is not saved goes on from the post that is known here.
      if (!isSilent.current || post === null || isChanged) return;
      isSilent.current = false;
      const start = { post, draft: draftOf(post), body: null, move: null };
      writePost(api, root, { ...start, sitting: 'last', blank }).then(setPost, () => undefined);
    },
  });
  const ask = async (move: Move): Promise<void> => {
    if (isUploading) return;
    const opener = document.activeElement;
    const fault = faultOf(edited, move.status);
    if (fault !== null) return action.run(() => Promise.reject(new Error(fault)));
    const isKnown = post !== null && (move.status === 'draft' || !isChanged);
    const known = isKnown ? post : await saveFrom(edited);
    if (known !== null) setQuestion({ post: known, move, opener });
  };
  /** What was typed since is no part of what was asked. */
  const agree = ({ post: known, move }: Asked): void =>
    void saveFrom({ post: known, draft: draftOf(known), body: null }, move);

  /** Saves what was changed here; all else stays as it was changed elsewhere. */
  const saveOver = (newest: AnyPost): void => {
    const stored = draftOf(newest);
    const draft = keepTyped(form.draft, { known: form.before, stored });
    setPost(newest);
    form.follow(stored);
    if (body === null) reopen();
    void saveFrom({ post: newest, draft, body });
  };
  const mayDrop = (): boolean => !isChanged || confirm('Your unsaved text will be lost. Continue?');
  const loadNewer = (newest: AnyPost): void => {
    if (!mayDrop()) return;
    setPost(newest);
    form.replace(draftOf(newest));
    reopen();
    setConflict(null);
  };
  const discard = (): void => {
    setPost(loaded);
    form.replace(initial);
    reopen();
    setCopy(null);
  };
  const restore = ({ title, html, lexical }: Revision): void => {
    if (!mayDrop()) return;
    const text = lexical === null ? { html: html ?? '' } : { lexical };
    setStopped(textOf({ draft: { ...form.draft, title }, body: text }));
    form.set({ title });
    reopen(text);
  };
  const remove = (): Promise<void> =>
    action.run(async () => {
      if (post === null || !confirm(`Delete "${post.title}"? This cannot be undone.`)) return null;
      await api.send('DELETE', `/${root}/${post.id}/`);
      giveUp();
      isSilent.current = false;
      setDeleted(true);
      dropCopy({ root, name: post.id });
      go(`/${root}`);
      return null;
    });
  return {
    ...{ post, draft: form.draft, set: form.set, write: setWritten, body, isChanged, isUploading },
    ...{
      copiedAt: copy?.at ?? null,
      start: written,
      discard,
      isUnsettled: isChanged || isSilent.current,
    },
    ...{ action, save, remove, restore, conflict, saveOver, loadNewer, opening },
    ...{ ask, question, agree, leave: () => setQuestion(null), isEmpty: isEmpty(edited) },
  };
};

const sittingOf = (isAuto: boolean, isSilent: boolean): Sitting =>
  isAuto ? 'auto' : isSilent ? 'last' : null;

const textOf = ({ draft, body }: Omit<Start, 'post'>): string => JSON.stringify([draft, body]);

const isDraftOf = (post: AnyPost | null): boolean => post === null || post.status === 'draft';

/** A draft keeps a date that is typed for its schedule. Null: one that is published now forgets it. */
const sentDate = ({ post, draft }: Start, stored: AnyPost): string | null => {
  if (!isDraftOf(post)) return draft.at;
  return stored.status === 'published' ? null : '';
};

const NO_COPY = { updated_at: null, draft: {}, body: null } as const;

const withTime = (post: AnyPost | null, updated_at: string | null = null): AnyPost | null =>
  post === null || updated_at === null ? post : { ...post, updated_at };

type Kept = Start & { readonly before: Draft };

const copyOf = ({ post, draft, body, before }: Kept) => ({
  updated_at: post?.updated_at ?? null,
  draft: Object.fromEntries(changedNames(before, draft).map((name) => [name, draft[name]])),
  body,
});

const KEPT = 'Unsaved changes stay only in this browser. Leave?';
