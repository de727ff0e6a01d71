// The body of a post as its page shows it, and where links to Ghost's own sign-up lead on a page that has none: to the address of
// the setting `signupUrl`.
import {
  type AttributeEdits,
  editAttributes,
} from '../../publication/documents/html/edit-attributes.ts';
import type { PostView } from './site-views.ts';

export type SignupLinks = {
  /** Where readers sign up; null where they cannot. */
  readonly url: string | null;
  /** The address that a link leads to instead; null for one that is no link to the sign-up, or where there is none. */
  readonly find: (link: string) => string | null;
};

/** `home`: the whole address of the site, with its last slash. */
export const createSignupLinks = (url: string | null, home: string): SignupLinks => ({
  url,
  find: (link) => {
    const [place = '', fragment = ''] = link.trim().split('#');
    const isOwn = ['', '/', home, home.slice(0, -1)].includes(place);
    return isOwn && /^\/portal(?:\/signup\b|\/?$)/.test(fragment) ? url : null;
  },
});

/** Holds the place of a video in Ghost's html, whose sides do so as well: readers need not be known to its sender. */
const SPACER = 'https://img.spacergif.org/';

/** The first picture of a page is not lazy. */
export const pageBody = ({ record, image }: PostView, signup: SignupLinks): string => {
  let isFirst = image === null;
  const edits: AttributeEdits = new Map([
    [
      'href',
      (link) => signup.find(link)?.replaceAll('&', '&amp;').replaceAll("'", '&#39;') ?? link,
    ],
    ['poster', (picture) => (picture.startsWith(SPACER) ? '' : picture)],
    [
      'loading',
      (way) => {
        if (!isFirst) return way;
        isFirst = false;
        return 'eager';
      },
    ],
  ]);
  return editAttributes(record.html ?? '', edits);
};
