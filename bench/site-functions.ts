// What templates ask of a site beside its values, for plain Eleventy.

import type { Site } from '../src/pages/site/site.ts';
import { createSignupLinks, pageBody } from '../src/pages/site/site-bodies.ts';
import { createSitePictures, type PicturesPlace } from '../src/pages/site/site-pictures.ts';

export const siteFunctions = (
  pictures: PicturesPlace,
  home: string,
): Pick<Site, 'srcset' | 'sides' | 'body'> => {
  const { srcset, sides } = createSitePictures(pictures, '');
  const signup = createSignupLinks(null, home);
  return { srcset, sides, body: (view) => pageBody(view, signup) };
};
