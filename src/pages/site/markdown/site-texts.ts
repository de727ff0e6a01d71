// The texts for programs beside the pages: each post and page as Markdown, llms.txt and llms-full.txt (llmstxt.org), and a JSON
// Feed. They are made of the documents that pages are made of, so they show nothing else.
import { posix } from 'node:path';
import { trimEndOf } from '../../../base/text/trim-of.ts';
import type { Page } from '../../../publish/output/pages/page.ts';
import { shortened } from '../site-head.ts';
import type { SitePost, SiteSettings } from '../site-records.ts';
import type { PostView, SiteViews } from '../site-views.ts';
import { jsonFeed } from './json-feed.ts';
import { toMarkdownFile } from './markdown-file.ts';

export type MarkdownOptions = {
  /** Whether there are llms.txt and llms-full.txt. */
  readonly hasLlms: boolean;
  /** What stands at a path of the pages; null for nothing. */
  readonly read: (file: string) => Buffer | null;
};

export type SiteTexts = {
  /** Those of one page. */
  readonly filesOf: (view: { readonly file: string }) => readonly string[];
  /** Those of the pages that are rendered, by their files, and those of the whole site. */
  readonly list: (rendered: ReadonlySet<string>) => Page[];
};

type TextsInput = {
  readonly views: SiteViews;
  readonly settings: SiteSettings;
  /** A path of the site, or a whole address. */
  readonly icon: string | null;
  /** The whole address of the site, with its last slash. */
  readonly home: string;
  readonly newest: readonly SitePost[];
  readonly warn: (sentence: string) => void;
};

export const NO_TEXTS: SiteTexts = { filesOf: () => [], list: () => [] };

/** Posts, and pages, of llms.txt and of llms-full.txt, at most; and bytes of the second. */
const LISTED_MAX = 500;
const FULL_BYTES_MAX = 5 * 1024 * 1024;

export const createSiteTexts = (
  { hasLlms, read }: MarkdownOptions,
  { views, settings, icon, home, newest, warn }: TextsInput,
): SiteTexts => {
  const folders = new Set([...views.posts, ...views.lists].flatMap(({ file }) => above(file)));
  const files = new Map(
    views.posts.map(({ file }): [string, string[]] => {
      const folder = posix.dirname(file);
      // A record may have the other's name as its folder.
      const names = [`${folder}/index.md`, `${folder}.md`];
      return [file, names.filter((name) => !folders.has(folded(name)))];
    }),
  );
  let last: { readonly view: PostView; readonly text: Buffer } | null = null;
  /** Texts of `llms-full.txt`, which bounds them: their files are written later. */
  const early = new Map<PostView, Buffer>();
  /** The files of a view, which have one text, are read one after the other. */
  const textOf = (view: PostView): Buffer => {
    const made = early.get(view);
    if (made !== undefined) return made;
    if (last?.view !== view) last = { view, text: Buffer.from(toMarkdownFile(view.record, warn)) };
    return last.text;
  };
  const filesOf: SiteTexts['filesOf'] = ({ file }) => files.get(file) ?? [];
  const list: SiteTexts['list'] = (rendered) => {
    const texts = views.posts
      .filter(({ file }) => rendered.has(file))
      .flatMap((view) => filesOf(view).map((path) => ({ path, read: () => textOf(view) })));
    const feed = jsonFeed({ settings, icon, home, newest });
    const standing = (view: PostView): Buffer => {
      const isRendered = rendered.has(view.file);
      const [file] = isRendered ? [] : filesOf(view);
      const text = (file === undefined ? null : read(file)) ?? textOf(view);
      if (isRendered) early.set(view, text);
      return text;
    };
    const llms = hasLlms ? llmsTexts({ views, settings, home }, standing) : {};
    const ofSite = Object.entries({ 'feed.json': feed, ...llms });
    return [...texts, ...ofSite.map(([path, text]) => ({ path, read: () => Buffer.from(text) }))];
  };
  return { filesOf, list };
};

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** The folders that a file lies in. */
const above = (file: string): string[] => {
  const folder = posix.dirname(file);
  return folder === '.' ? [] : [folded(folder), ...above(folder)];
};

/** Of posts and pages that anybody may read. */
const llmsTexts = (
  { views, settings, home }: Pick<TextsInput, 'views' | 'settings' | 'home'>,
  textOf: (view: PostView) => Buffer,
): Readonly<Record<string, string>> => {
  const head = [
    `# ${lineOf(settings.title || new URL(home).host)}`,
    settings.description && `> ${lineOf(settings.description)}`,
  ];
  const kinds = [
    ['Posts', 'post'],
    ['Pages', 'page'],
  ] as const;
  const groups = kinds.map(([name, kind]) => {
    const open = views.posts.filter(
      (view) => view.kind === kind && view.record.visibility === 'public',
    );
    return { name, open: open.slice(0, LISTED_MAX) };
  });
  const listed = groups
    .filter(({ open }) => open.length > 0)
    .map(({ name, open }) =>
      [`## ${name}`, open.map((view) => entryOf(view, home)).join('\n')].join('\n\n'),
    );
  const bodies: string[] = [];
  let bytes = 0;
  for (const view of groups.flatMap(({ open }) => open)) {
    const text = textOf(view);
    bytes += text.length;
    if (bytes > FULL_BYTES_MAX) break;
    bodies.push(text.toString());
  }
  const join = (parts: readonly (string | null | undefined)[]): string =>
    `${parts.filter(Boolean).join('\n\n')}\n`;
  return { 'llms.txt': join([...head, ...listed]), 'llms-full.txt': join([...head, ...bodies]) };
};

const entryOf = ({ href, record }: PostView, home: string): string => {
  const about = shortened(record.custom_excerpt ?? record.excerpt);
  const address = new URL(`${trimEndOf(href, '/')}/index.md`, home).href;
  return `- [${lineOf(record.title)}](${address})${about ? `: ${lineOf(about)}` : ''}`;
};

const lineOf = (text: string): string => text.replace(/\s+/g, ' ').replace(/[[\]\\<]/g, '\\$&');
