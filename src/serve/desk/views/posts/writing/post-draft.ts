// A post while it is edited: what the form holds, and what is sent of it. Only what was changed is sent, so that
// nothing else is written anew.

import { formatNames, parseNames } from '../../../name-list.ts';
import type { Page, Post } from '../../../records.ts';
import { changedNames, isSameValue } from '../../../ui/fields/draft.ts';
import { textsOf, toColumn } from '../../../ui/texts.ts';
import { POST_TEXTS, type PostText } from './post-texts.ts';

export type PostRoot = 'posts' | 'pages';

export type AnyPost = Omit<Post, 'email_only' | 'email_segment'> &
  Partial<Pick<Page, 'show_title_and_feature_image'>> & {
    /** What the editor opens in place of a document of an earlier editor, until it is edited. */
    readonly opened?: string | undefined;
  };

/** The document of a body that is known as html alone: one HTML card. */
export const documentOfHtml = (html: string): string => {
  const children = html === '' ? [] : [{ type: 'html', version: 1, html }];
  const root = { type: 'root', version: 1, direction: null, format: '', indent: 0, children };
  return JSON.stringify({ root });
};

/** The document that the editor opens. */
export const documentOf = (post: AnyPost | null): string =>
  post?.lexical ?? post?.opened ?? documentOfHtml(post?.html ?? '');

export type Draft = {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  /** As name-list.ts writes them. */
  readonly tags: string;
  readonly visibility: string;
  /** Ids of those whose members may read it, where its visibility is `tiers`. */
  readonly tiers: readonly string[];
  readonly featured: boolean;
  readonly image: string;
  readonly imageAlt: string;
  /** When it appears, or appeared, in UTC; empty for none. */
  readonly at: string;
  /** Ids, the first one first. */
  readonly authors: readonly string[];
  /** Of a page: whether it begins with its title and picture. */
  readonly showsTitle: boolean;
} & { readonly [Name in PostText]: string };

/** The text of the post as it was changed; null: it was not. */
export type Body = { readonly html: string } | { readonly lexical: string } | null;

type Texts = {
  readonly post: AnyPost | null;
  /** What the editor said last; null: nothing yet. */
  readonly written: Body;
  /** What was saved last. The server may have stored it in another spelling. */
  readonly saved: Body;
};

/** The text that a save has to send; null when it is stored already. */
export const unsavedBody = ({ post, written, saved }: Texts): Body =>
  isTextOf(post, written) || (post !== null && isSameValue(written, saved)) ? null : written;

const isTextOf = (post: AnyPost | null, body: Body): boolean => {
  if (post === null || body === null) return false;
  return 'lexical' in body ? body.lexical === documentOf(post) : body.html === (post.html ?? '');
};

export const EMPTY: Draft = {
  title: '',
  slug: '',
  excerpt: '',
  tags: '',
  visibility: 'public',
  tiers: [],
  featured: false,
  image: '',
  imageAlt: '',
  at: '',
  authors: [],
  showsTitle: true,
  ...textsOf({}, POST_TEXTS),
};

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? `list ${value.every((one) => typeof one === 'string')}` : typeof value;

/** What of a copy fits the form: another version of the desk may have kept it. */
export const keptDraft = (kept: unknown): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(Object(kept)).filter(
      ([name, value]) =>
        Object.hasOwn(EMPTY, name) && kindOf(value) === kindOf(EMPTY[name as keyof Draft]),
    ),
  );

export const keptBody = (kept: unknown): Body => {
  const { html, lexical } = Object(kept) as Readonly<Record<string, unknown>>;
  if (typeof lexical === 'string') return { lexical };
  return typeof html === 'string' ? { html } : null;
};

export const draftOf = (post: AnyPost): Draft => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.custom_excerpt ?? '',
  tags: formatNames(post.tags.map(({ name }) => name)),
  visibility: post.visibility,
  // Any other post shows those that the publication has.
  tiers: post.visibility === 'tiers' ? post.tiers.map(({ id }) => id).toSorted() : [],
  featured: post.featured,
  image: post.feature_image ?? '',
  imageAlt: post.feature_image_alt ?? '',
  at: post.status === 'draft' ? '' : (post.published_at ?? ''),
  authors: post.authors.map(({ id }) => id),
  showsTitle: post.show_title_and_feature_image ?? true,
  ...textsOf(post, POST_TEXTS),
});

const MINUTE_MS = 60_000;

/** Whether its time has passed, by the clock of this computer, and nothing published it. */
export const isLate = ({
  status,
  published_at,
}: Pick<AnyPost, 'status' | 'published_at'>): boolean =>
  status === 'scheduled' && Date.parse(published_at ?? '') < Date.now() - MINUTE_MS;

type Changes = Record<string, unknown>;

/** Names that stood already keep their tags, the first ones first: several tags may have one name. */
const tagsOf = (text: string, post: AnyPost | null): Changes[] => {
  const known = [...(post?.tags ?? [])];
  return parseNames(text).map(({ name }) => {
    const at = known.findIndex((tag) => tag.name === name);
    const [tag] = at === -1 ? [] : known.splice(at, 1);
    return tag === undefined ? { name } : { id: tag.id };
  });
};

/** What the server calls a post without a title. */
const UNTITLED = '(Untitled)';

export const titleOf = ({ title }: Draft): string => title.trim() || UNTITLED;

/** Whether a post as it is edited has neither a title nor a text. */
export const isEmpty = ({ post, draft, body }: Edited): boolean => {
  if (!['', UNTITLED].includes(draft.title.trim())) return false;
  const text = body ?? (post?.lexical ? { lexical: post.lexical } : { html: post?.html ?? '' });
  return 'lexical' in text ? !saysAnything(text.lexical) : text.html.replace(BLANK, '') === '';
};

const BLANK = /<\/?(?:p|br|div|span)\b[^<>]*>|&nbsp;|\s/gi;

/** Blanks between blocks say nothing; cards do, whatever they hold. */
const saysAnything = (lexical: string): boolean => {
  const isWorded = (node: unknown): boolean => {
    const { type, text, children } = Object(node) as Readonly<Record<string, unknown>>;
    if (Array.isArray(children)) return children.some(isWorded);
    return typeof text === 'string' ? text.trim() !== '' : type !== 'linebreak';
  };
  try {
    return isWorded((JSON.parse(lexical) as { readonly root?: unknown }).root);
  } catch {
    // Too deep, or no document: what it says is not known.
    return true;
  }
};

type Sent = (draft: Draft, post: AnyPost | null) => Changes;

const textFields = () =>
  Object.fromEntries(
    POST_TEXTS.map((name): [PostText, Sent] => [
      name,
      (draft) => ({ [name]: toColumn(name, draft[name]) }),
    ]),
  ) as Record<PostText, Sent>;

const FIELDS: Readonly<Record<keyof Draft, Sent>> = {
  title: (draft) => ({ title: titleOf(draft) }),
  slug: ({ slug }) => ({ slug: slug.trim() }),
  excerpt: ({ excerpt }) => ({ custom_excerpt: excerpt.trim() || null }),
  tags: ({ tags }, post) => ({ tags: tagsOf(tags, post) }),
  visibility: ({ visibility }) => ({ visibility }),
  tiers: ({ visibility, tiers }) =>
    visibility === 'tiers' ? { tiers: tiers.map((id) => ({ id })) } : {},
  featured: ({ featured }) => ({ featured }),
  image: ({ image }) => ({ feature_image: image.trim() || null }),
  imageAlt: ({ imageAlt }) => ({ feature_image_alt: imageAlt.trim() || null }),
  at: ({ at }) => (at === '' ? {} : { published_at: at }),
  authors: ({ authors }) => ({ authors: authors.map((id) => ({ id })) }),
  showsTitle: ({ showsTitle }) => ({ show_title_and_feature_image: showsTitle }),
  ...textFields(),
};

type Edited = Pick<Texts, 'post'> & { readonly draft: Draft; readonly body: Body };

/** Whether the field of its date was emptied, which can neither be saved nor forgotten. */
export const isDateless = ({ post, draft }: Pick<Edited, 'post' | 'draft'>): boolean =>
  Boolean(post !== null && post.status !== 'draft' && post.published_at) && draft.at === '';

/** Why it cannot be saved with this status; null: it can. */
export const faultOf = (edited: Edited, status: AnyPost['status']): string | null => {
  if (status !== 'draft' && isDateless(edited)) return DATELESS[status];
  if (status === 'published' && isAhead(edited)) return AHEAD;
  if (status === 'scheduled' && isBehind(edited)) return PAST;
  if (status !== 'draft' && isEmptied(edited)) return NOTHING;
  return status !== 'draft' && isTierless(edited) ? TIERLESS : null;
};

const isEmptied = (edited: Edited): boolean => isEmpty(edited) && !isEmptyForReaders(edited.post);

/** One that readers have as it is, such as from an import, can be changed. */
const isEmptyForReaders = (post: AnyPost | null): boolean =>
  post !== null && post.status !== 'draft' && isEmpty({ post, draft: draftOf(post), body: null });

export const NOTHING = 'Write a title or a text before you publish it.';
const NO_DATE = 'A published post needs its date. Choose one.';

export const DATELESS = {
  scheduled:
    'A scheduled post needs a date. Choose one, or press "Back to draft" to unschedule it.',
  published: NO_DATE,
  sent: NO_DATE,
} as const;

/** Whether a published post was given a date to come, at which it would be gone until then. */
const isAhead = ({ post, draft }: Edited): boolean =>
  post?.status === 'published' &&
  draft.at !== post.published_at &&
  Date.parse(draft.at) > Date.now();

const isTierless = ({ draft: { visibility, tiers } }: Edited): boolean =>
  visibility === 'tiers' && tiers.length === 0;

/** Whether what is not scheduled yet was given a date that has passed. */
const isBehind = ({ post, draft }: Edited): boolean =>
  post?.status !== 'scheduled' && hasPassed(draft.at);

/** An empty one has not. */
export const hasPassed = (at: string): boolean => Date.parse(at) < Date.now();

export const PAST = 'This time is in the past. Choose a later one.';
export const AHEAD =
  'A published post has a date that has passed. To publish it later, press "Unpublish", then schedule it.';
export const TIERLESS =
  'Nobody could read it: choose at least one tier, or something else under "Access".';

/**
 * What a save sends, `updated_at` aside; `blank`: a new post before anything is typed. The date of a draft is sent by its
 * own button.
 */
export const changesOf = ({ post, draft, body }: Edited, blank = EMPTY): Changes => {
  const before = post === null ? blank : draftOf(post);
  const names = changedNames(before, draft).filter(
    (name) => name !== 'at' || (post !== null && post.status !== 'draft'),
  );
  // The server ignores an empty text; null removes the body.
  const text = body !== null && 'html' in body ? { html: body.html || null } : body;
  return Object.assign({}, ...names.map((name) => FIELDS[name](draft, post)), text);
};
