// The body of a post as its page shows it, and where links to Ghost's own sign-up lead on a page that has none: to the address of
// the setting `signupUrl`.
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
    const [place = '', fragment] = link.trim().split('#');
    const isOwn = ['', '/', home, home.slice(0, -1)].includes(place);
    return isOwn && /^\/portal(?:\/signup\b|\/?$)/.test(fragment ?? '') ? url : null;
  },
});

const SPACER = / poster="https:\/\/img\.spacergif\.org\/[^"<>]*"/g;
const LINK = / href="([^"<>#]*#\/portal[^"<>]*)"/g;
const LAZY = /(<img\b[^<>]*?) loading="lazy"/;

/** Without the pictures that another company sends to hold the place of a video; the first picture of a page is not lazy. */
export const pageBody = ({ record, image }: PostView, signup: SignupLinks): string => {
  const html = (record.html ?? '').replace(SPACER, '').replace(LINK, (whole, link: string) => {
    const other = signup.find(link);
    return other === null ? whole : ` href="${other.replaceAll('&', '&amp;')}"`;
  });
  return image === null ? html.replace(LAZY, '$1 fetchpriority="high"') : html;
};
