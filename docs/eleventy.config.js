// The documents as a small site, by Prepress's own plugin: `npm run docs`. The sample publication is beside them, so that
// /content/posts/ can be tried on the site itself.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix, relative } from 'node:path';
import { IdAttributePlugin } from '@11ty/eleventy';
import prepress from '../dist/eleventy.js';
import { renderCards } from './card-examples.js';

const ROOT = join(import.meta.dirname, '..');
const { description, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const HOME = process.env.DOCS_HOME ?? join(ROOT, 'data/docs');

/** Where files of the repository are read; beside docs/ while package.json names no repository. */
const SOURCE =
  repository === undefined
    ? '../'
    : `${(repository.url ?? repository).replace(/^git\+|\.git$/g, '')}/blob/main/`;

/** Links between pages lead to pages; those to other files of the repository lead there. */
const linkOf = (href, page) => {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const path = posix.normalize(posix.join(posix.dirname(page), file));
  if (path.startsWith('../')) return `${SOURCE}${path.slice('../'.length)}`;
  const target = file.replace(/\.md$/, '.html');
  return anchor === undefined ? target : `${target}#${anchor}`;
};

const withLinks = (markdown) => {
  const plain = markdown.renderer.rules.link_open ?? ((...args) => args[4].renderToken(...args));
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index];
    token.attrSet('href', linkOf(token.attrGet('href'), `${env.page.filePathStem.slice(1)}.md`));
    return plain(tokens, index, options, env, self);
  };
};

const STYLE = `body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}
pre{overflow:auto;background:#f4f4f4;padding:1rem}
table{display:block;overflow:auto;border-collapse:collapse}
td,th{border:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}
img{max-width:100%}`;

const layout = (data) => {
  const up = '../'.repeat(data.page.filePathStem.split('/').length - 2);
  const [, title = 'Prepress'] = /<h1[^>]*>(.*?)<\/h1>/.exec(data.content) ?? [];
  return `<!doctype html><html lang="en" data-kg-signup="https://example.com/"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="alternate" type="text/markdown" href="${basename(data.page.filePathStem)}.md"><style>${STYLE}</style></head><body><p><a href="${up}index.html">Prepress</a></p>
${data.content}</body></html>`;
};

/** What docs/cards.md describes, live. */
const showCards = async (content) => {
  const cards = (await renderCards()).map(([title, html]) => `<h3>${title}</h3>\n${html}`);
  return content.replace(
    '<!-- cards -->',
    () => `<link rel="stylesheet" href="cards.css">
<script src="cards.js" defer></script>
<div>${cards.join('\n')}</div>`,
  );
};

/** The pages as they are written, beside the others, with their list for programs (https://llmstxt.org). */
const writeTexts = ({ directories, results }) => {
  const pages = results.filter(({ inputPath }) => inputPath.endsWith('.md'));
  const lines = pages.map(({ inputPath, outputPath }) => {
    const copy = outputPath.replace(/\.html$/, '.md');
    copyFileSync(inputPath, copy);
    const [, title] = /^# (.+)$/m.exec(readFileSync(inputPath, 'utf8')) ?? [];
    return `- [${title}](${relative(directories.output, copy)})`;
  });
  const text = `# Prepress\n\n> ${description}\n\n## Documents\n\n${lines.sort().join('\n')}\n`;
  writeFileSync(join(directories.output, 'llms.txt'), text);
};

export default (eleventyConfig) => {
  eleventyConfig.setQuietMode(true);
  eleventyConfig.addPlugin(prepress, {
    settings: { database: join(HOME, 'data/publication.db') },
  });
  eleventyConfig.addPlugin(IdAttributePlugin);
  eleventyConfig.amendLibrary('md', withLinks);
  eleventyConfig.addPassthroughCopy({ 'docs/images': 'images' });
  for (const file of ['cards.css', 'cards.js'])
    eleventyConfig.addPassthroughCopy({ [`content/_includes/site/${file}`]: file });
  eleventyConfig.on('eleventy.after', writeTexts);
  eleventyConfig.addTransform('cards', showCards);
  eleventyConfig.addTransform('layout', function (content) {
    return layout({ page: this.page, content });
  });
  eleventyConfig.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        `${page.filePathStem}.html`,
  );
};

export const config = {
  markdownTemplateEngine: false,
  templateFormats: ['md'],
  dir: { input: 'docs', output: relative(ROOT, join(HOME, 'site')) },
};
