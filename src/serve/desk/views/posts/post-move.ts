// Moves of a post between draft, scheduled and published, and the words that ask before each of them.
import { timeIn, zoneWords } from '../../ui/zone-time.ts';
import { visibilityWords } from './settings/visibilities.ts';
import { type AnyPost, isLate, type PostRoot } from './writing/post-draft.ts';

/** What a save changes of the status. */
export type Move = {
  readonly status: 'draft' | 'published' | 'scheduled';
  readonly published_at?: string | null;
};

/** A move of a post as it is stored, which is asked for. */
export type Asked = { readonly post: AnyPost; readonly move: Move };

type Site = {
  readonly url: string;
  /** The pattern of addresses of posts. */
  readonly permalinks: string;
};

type Question = {
  readonly title: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly yes: string;
};

type Place = Site & {
  readonly root: PostRoot;
  readonly now: string;
  /** The time zone of the publication. */
  readonly zone: string;
};

export const questionOf = ({ post, move }: Asked, place: Place): Question => {
  const noun = place.root === 'posts' ? 'post' : 'page';
  const title = ['Title', post.title] as const;
  const readers = ['Readers', readersOf(post)] as const;
  if (move.status === 'draft') {
    const facts = [title, ['Address', post.url] as const, readers];
    return post.status === 'scheduled'
      ? { title: `Unschedule this ${noun}?`, facts: [title, readers], yes: 'Unschedule' }
      : { title: `Take this ${noun} off the site?`, facts, yes: 'Unpublish' };
  }
  const isNow = move.status === 'published';
  const at = isNow ? dateOf(post, place.now) : (move.published_at ?? place.now);
  const address = ['Address', addressOf(post, at, place)] as const;
  const when = [
    'Time',
    isNow ? nowWords(at, place) : `${timeIn(at, place.zone)}, ${zoneWords(at, place.zone)}`,
  ] as const;
  return {
    title: `${isNow ? 'Publish' : 'Schedule'} this ${noun}?`,
    facts: [title, address, readers, when],
    yes: isNow ? 'Publish now' : 'Schedule it',
  };
};

/** A draft that was published before keeps its date; one in the future is given up. */
const dateOf = ({ published_at }: AnyPost, now: string): string =>
  published_at && Date.parse(published_at) <= Date.parse(now) ? published_at : now;

const nowWords = (at: string, { now, zone }: Place): string =>
  at === now ? 'Now' : `Now, with its date of ${timeIn(at, zone)}`;

const readersOf = ({ visibility, tiers }: AnyPost): string =>
  visibility === 'tiers'
    ? `Members of ${tiers.map(({ name }) => name).join(', ')}`
    : visibilityWords(visibility);

/** Where readers will find it, by the rule of the server (`publication/documents/urls.ts`), which answers only where they find it now. */
export const addressOf = (
  post: AnyPost,
  at: string,
  { root, ...site }: Site & Pick<Place, 'root'>,
): string => {
  const [year = '', month = '', day = ''] = at.slice(0, 10).split('-');
  const [tag] = post.tags;
  const parts: Readonly<Record<string, string>> = {
    ...{ slug: post.slug, id: post.id, year, month, day },
    primary_tag: tag?.visibility === 'public' ? tag.slug : 'all',
    primary_author: post.authors[0]?.slug ?? 'all',
  };
  const pattern = root === 'pages' ? '{slug}' : site.permalinks;
  const path = `/${pattern}/`.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
  return `${site.url.replace(/\/$/, '')}${path.replace(/\/{2,}/g, '/')}`;
};

const LATE = 'Saved. It stays scheduled, though its time has passed.';

/** What the desk says once a post is saved. `hasPages`: builds also write HTML pages. */
export const doneOf = (post: AnyPost, { hasPages }: { readonly hasPages: boolean }): string => {
  if (isLate(post)) return LATE;
  const isFollowed = hasPages && post.status === 'published';
  return `${DONE[post.status]}${isFollowed ? ' The page follows in a few seconds.' : ''}`;
};

const DONE: Readonly<Record<AnyPost['status'], string>> = {
  draft: 'Saved as a draft.',
  published: 'Saved and published.',
  scheduled: 'Saved and scheduled.',
  sent: 'Saved.',
};
