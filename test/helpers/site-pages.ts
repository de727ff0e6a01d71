// Builds a publication with its pages for readers, and reads what their links lead to.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { emitContent } from '../../src/pages/eleventy/emit-content.ts';
import { type RenderReport, renderPages } from '../../src/pages/eleventy/render-pages.ts';
import type { Config } from '../../src/settings/settings.ts';
import { testConfig } from './tree.ts';

export const SITE = 'https://site.test';

export const siteConfig = (folder: string, flags: Record<string, unknown> = {}): Config =>
  testConfig({
    database: join(folder, 'data/publication.db'),
    output: join(folder, 'output'),
    site: true,
    ...flags,
  });

/** Builds the publication in `folder`, then its pages; the working folder has to be one without a project. */
export const buildPages = async (
  folder: string,
  flags: Record<string, unknown> = {},
): Promise<RenderReport> => {
  const config = siteConfig(folder, flags);
  await emitContent(config);
  return renderPages(config);
};

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** Addresses of this site that a page names, without query and fragment. `page`: its file. */
export const internalLinks = (html: string, page = ''): string[] =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)]
    .map(([, address = '']) => unescaped(address))
    .filter((address) => address !== '' && !address.startsWith('#'))
    .map((address) => new URL(address, `${SITE}/${page}`))
    .filter(({ origin }) => origin === SITE)
    .map(({ pathname }) => decodeURIComponent(pathname));

/** Whether a path has a file: of a page, or of the interface, whose lists and records are folders. */
export const hasFile = (output: string, path: string): boolean => {
  const name = join(output, path);
  if (!path.endsWith('/')) return existsSync(name);
  return existsSync(join(name, 'index.html')) || existsSync(join(name, 'index.json'));
};
