// `npx eleventy` writes the whole content interface and the pages in content/ to output/. Eleventy's own
// output is only a staging place: it would touch unchanged pages and never remove one.
import prepress from './dist/eleventy.js';

export default function (eleventyConfig) {
  eleventyConfig.setQuietMode(true);
  eleventyConfig.addPlugin(prepress, { placesPages: true });
}

export const config = {
  dir: { input: 'content', output: 'data/pages-staging' },
};
