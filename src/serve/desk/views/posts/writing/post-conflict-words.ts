// Says who or what may have changed a post while it was edited here, and what is different now.
import { changedNames } from '../../../ui/fields/draft.ts';
import { type AnyPost, type Draft, draftOf } from './post-draft.ts';
import { POST_TEXT_LABELS } from './post-texts.ts';

const NAMES: Readonly<Record<keyof Draft, string>> = {
  title: 'title',
  slug: 'slug',
  excerpt: 'excerpt',
  tags: 'tags',
  visibility: 'access',
  tiers: 'tiers',
  featured: 'featured',
  image: 'picture',
  imageAlt: 'alt text',
  at: 'date',
  authors: 'authors',
  showsTitle: 'title and picture shown',
  ...POST_TEXT_LABELS,
};

/** `at`: when the newest was changed, in words. */
export const conflictWords = (known: AnyPost, newest: AnyPost, at: string): string => {
  const isDue = known.status === 'scheduled' && newest.status === 'published';
  const fields = changedNames(draftOf(known), draftOf(newest))
    .filter((name) => name !== 'at' || !isDue)
    .map((name) => NAMES[name]);
  const isText = known.html !== newest.html || known.lexical !== newest.lexical;
  const isMoved = known.status !== newest.status && !isDue;
  const changed = [...fields, ...(isText ? ['text'] : []), ...(isMoved ? ['status'] : [])];
  const what = changed.length === 0 ? '' : ` Changed there: ${changed.join(', ')}.`;
  return isDue
    ? `The schedule published this while it was open here.${what}`
    : `This was changed at ${at} by another person, in another window, or by a program.${what}`;
};
