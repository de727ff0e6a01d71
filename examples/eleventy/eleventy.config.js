import prepress from 'prepress-content/eleventy';

export default (eleventyConfig) => eleventyConfig.addPlugin(prepress);

export const config = { dir: { input: 'pages', output: 'public' } };
