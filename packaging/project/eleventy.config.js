// Builds the JSON and the HTML pages with `npx eleventy`; `prepress build` and `prepress serve` use this file, too.
import prepress from 'prepress-content/eleventy';

export default function (eleventyConfig) {
  eleventyConfig.setQuietMode(true);
  eleventyConfig.addPlugin(prepress, { placesPages: true });
}

export const config = {
  dir: { input: 'content', output: 'data/pages-staging' },
};
