// The form of one post: what was typed, what of it is not stored yet, and what its buttons do. What somebody types while
// a save runs stays, and so does everything when the save is refused because the post was changed elsewhere. A draft is
// saved before it is published, so that the question names what is stored, its address included.
import { useRef, useState } from 'preact/hooks';
import { isCollision, isRefusal, saveFailure } from '../../api.ts';
import { useDesk } from '../../context.ts';
import type { Revision } from '../../records.ts';
import { go, useNameNew, useUnsaved } from '../../route.ts';
import { changedNames, keepTyped, useDraft } from '../../ui/fields/draft.ts';
import { useAction } from '../../ui/hooks.ts';
import { useUploading } from '../../upload.ts';
import { type Asked, doneOf, type Move } from './post-move.ts';
import { findFirstSave, keptFirstSave, sinceFirstSave } from './writing/first-save.ts';
import { useAutosave, useSitting } from './writing/post-autosave.ts';
import { dropCopy, findCopy, type PostCopy, useCopy } from './writing/post-copy.ts';
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
import { readPost, type Sitting, type Start, writePost } from './writing/post-requests.ts';

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
  /** The first save, while it is not known what became of it. */
  const [sent, setSent] = useState(() => keptFirstSave(first.sent));
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
    isChanged && !isDeleted ? copyOf({ ...edited, before: form.before, sent }) : null,
  );
  /** Saves of this sitting that nobody was told of. */
  const isSilent = useRef(false);
  const nameNew = useNameNew(root);

  const reopen = (text: Body = null): void => {
    setWritten(text);
    setSaved(null);
    setOpening((before) => before + 1);
  };
  const take = (start: Start, stored: AnyPost): void => {
    setCopy(null);
    setPost(stored);
    setSent(null);
    const at = sentDate(start, stored) ?? form.draft.at;
    form.follow(draftOf(stored), { ...start.draft, at });
    if (start.body !== null) setSaved(start.body);
    if (start.post !== null) return;
    dropCopy({ root, name: firstName });
    nameNew(stored.id);
  };
  /** What is to save, from what the first save stored where its answer did not come. */
  const resume = async (start: Start): Promise<Start> => {
    if (start.post !== null || sent === null) return start;
    const stored = await findFirstSave(api, root, sent);
    if (stored === null) return start;
    take({ ...sent, post: null }, stored);
    return sinceFirstSave(start, { stored, sent });
  };
  /** Answers the post as it is stored then; null: it was not saved. */
  const saveFrom = async (
    given: Start,
    move: Move | null = null,
    isAuto = false,
  ): Promise<AnyPost | null> => {
    let answer: AnyPost | null = null;
    await action.run(async () => {
      setConflict(null);
      const fault = faultOf(given, move?.status ?? given.post?.status ?? 'draft');
      if (fault !== null) throw new Error(fault);
      let start = given;
      try {
        start = await resume(given);
        if (start.post === null) setSent({ ...start, atMs: Date.now() });
        const sitting = start.post && sittingOf(isAuto, isSilent.current);
        const stored = await writePost(api, root, { ...start, move, sitting, blank });
        isSilent.current = sitting === 'auto';
        take(start, stored);
        answer = stored;
        return doneOf(stored, { hasPages });
      } catch (error) {
        if (isRefusal(error)) {
          setStopped(textOf(start));
          setSent(null);
        }
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
    setSent(null);
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

const NO_COPY = { updated_at: null, draft: {}, body: null, sent: null } as const;

const withTime = (post: AnyPost | null, updated_at: string | null = null): AnyPost | null =>
  post === null || updated_at === null ? post : { ...post, updated_at };

type Kept = Start & Pick<PostCopy, 'sent'> & { readonly before: Draft };

const copyOf = ({ post, draft, body, before, sent }: Kept) => ({
  updated_at: post?.updated_at ?? null,
  draft: Object.fromEntries(changedNames(before, draft).map((name) => [name, draft[name]])),
  body,
  sent,
});

const KEPT = 'Unsaved changes stay only in this browser. Leave?';
