// Loads Eleventy, which only publications with HTML pages need. It takes about half a second.
import { loadOptional } from '../../base/optional-packages.ts';

/** Throws PACKAGE_MISSING. */
export const loadEleventy = (): Promise<typeof import('@11ty/eleventy')> =>
  loadOptional('@11ty/eleventy', 'HTML pages', () => import('@11ty/eleventy'));
