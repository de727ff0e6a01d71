// Stands for src/pages/eleventy/render-pages.ts in programs that tests start hundreds of times: pages for people come after the
// content and are Eleventy's work, which takes longer than all else.
import type * as Pages from '../../src/pages/eleventy/render-pages.ts';

export const renderPages: typeof Pages.renderPages = async () => ({
  written: [],
  removed: [],
  blocked: [],
  sources: [],
  warnings: [],
  isRendered: false,
  milliseconds: 0,
});

export const preloadEleventy: typeof Pages.preloadEleventy = () => undefined;

// All that the module gives.
({ renderPages, preloadEleventy }) satisfies typeof Pages;
