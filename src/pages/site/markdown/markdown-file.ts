// A post or page as a Markdown file: what is known of it in front matter (YAML), then its body. Where a part of it is for
// members, a notice stands in its place. The same record gives the same bytes.
import { stringify } from 'yaml';
import { publicTags } from '../site-head.ts';
import type { SitePost } from '../site-records.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** Warns of a body that cannot be converted: it stands as html, which Markdown may hold. */
export const toMarkdownFile = (record: SitePost, warn: (sentence: string) => void): string => {
  const body = [bodyOf(record, warn), noticeOf(record)].filter((part) => part !== '');
  return [`---\n${stringify(frontMatterOf(record), OPTIONS)}---\n`, ...body.map(ended)].join('\n');
};

const bodyOf = ({ html, url }: SitePost, warn: (sentence: string) => void): string => {
  try {
    return htmlToMarkdown(html ?? '');
  } catch {
    warn(`The body of ${url} cannot be converted to Markdown, so its file has html: simplify it.`);
    return html ?? '';
  }
};

/** Long texts are not folded: an edit of one word changes one line. */
const OPTIONS = { lineWidth: 0 } as const;

const ended = (text: string): string => `${text}\n`;

/** What is empty is left out. */
const frontMatterOf = (record: SitePost): Readonly<Record<string, unknown>> => {
  const facts = {
    title: record.title,
    slug: record.slug,
    id: record.id,
    url: record.url,
    date: record.published_at,
    updated: record.updated_at,
    description: record.custom_excerpt,
    authors: record.authors.map(({ name }) => name),
    tags: publicTags(record).map(({ name }) => name),
    featured: record.featured || null,
    visibility: record.visibility,
    image: record.feature_image,
    image_alt: record.feature_image_alt,
    image_caption: record.feature_image_caption,
    canonical_url: record.canonical_url,
    meta_title: record.meta_title,
    meta_description: record.meta_description,
  };
  const isFilled = ([, value]: [string, unknown]): boolean =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(facts).filter(isFilled));
};

const noticeOf = ({ access, html, visibility, url }: SitePost): string => {
  if (access) return '';
  const part = html ? 'The rest of this text' : 'This text';
  const readers = visibility === 'members' ? 'members' : 'paying members';
  return `> ${part} is for ${readers}: <${url}>`;
};
