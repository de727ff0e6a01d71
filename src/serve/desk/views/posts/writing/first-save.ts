// The first save of a new post whose answer did not come: the server may have stored it. The contract takes no id from
// the desk, so the post is known by its title and its text. One without either is never taken for another.
import type { Api } from '../../../api.ts';
import { keepTyped } from '../../../ui/fields/draft.ts';
import {
  type AnyPost,
  type Body,
  type Draft,
  draftOf,
  EMPTY,
  isEmpty,
  keptBody,
  keptDraft,
  type PostRoot,
  titleOf,
  unsavedBody,
} from './post-draft.ts';
import { type Answer, type Start, WHOLE } from './post-requests.ts';

/** What was sent, and when, in milliseconds by the clock of this computer. */
export type FirstSave = { readonly draft: Draft; readonly body: Body; readonly atMs: number };

/** The one of a copy; null where it has none. */
export const keptFirstSave = (kept: unknown): FirstSave | null => {
  const { draft, body, atMs } = Object(kept) as Readonly<Record<string, unknown>>;
  if (typeof atMs !== 'number') return null;
  return { draft: { ...EMPTY, ...keptDraft(draft) }, body: keptBody(body), atMs };
};

/** More than a request takes. */
const SPARE_MS = 60_000;

/** The draft that it made; null: there is none. */
export const findFirstSave = async (
  api: Api,
  root: PostRoot,
  { draft, body, atMs }: FirstSave,
): Promise<AnyPost | null> => {
  if (isEmpty({ post: null, draft, body })) return null;
  // An older draft with this title and text was made by another save. The server's clock may differ from this one.
  const seconds = Math.ceil((Math.max(0, Date.now() - atMs) + SPARE_MS) / 1_000);
  const filter = `status:draft+created_at:>=now-${seconds}s`;
  const answer = await api.get<Answer>(`/${root}/`, { ...WHOLE, filter, order: 'created_at asc' });
  const named = answer[root]?.filter(({ title }) => title === titleOf(draft)) ?? [];
  if (named.length === 0) return null;
  if (body === null || isTextless({ post: null, body }))
    return named.find((post) => isTextless({ post, body: null })) ?? null;
  // The server stores a text in its own spelling.
  type Spelled = { readonly bodies: readonly Pick<AnyPost, 'html' | 'lexical'>[] };
  const { bodies } = await api.send<Spelled>('POST', '/bodies/', { bodies: [body] });
  const format = 'html' in body ? 'html' : 'lexical';
  return named.find((post) => post[format] === bodies[0]?.[format]) ?? null;
};

const isTextless = (text: { readonly post: AnyPost | null; readonly body: Body }): boolean =>
  isEmpty({ ...text, draft: EMPTY });

/** What is to save once it is known what the first save stored. */
export const sinceFirstSave = (
  { draft, body }: Start,
  { stored, sent }: { readonly stored: AnyPost; readonly sent: FirstSave },
): Start => ({
  post: stored,
  draft: keepTyped(draft, { known: sent.draft, stored: draftOf(stored) }),
  body: unsavedBody({ post: stored, written: body, saved: sent.body }),
});
