// The JSON texts of cards: what they are called, what they say in a line, and those that the editor makes
// itself, in the form that Ghost's editor writes.
import { isJsonObject, parseJsonObject } from '../../../base/text/json-value.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a node's JSON text; none for what is no object. */
export const fieldsOf = (text: string): Fields => parseJsonObject(text) ?? {};

export const RULE_CARD = '{"type":"horizontalrule","version":1}';

type NewImage = { readonly src: string; readonly alt?: string };

export const imageCard = ({ src, alt = '' }: NewImage): string =>
  JSON.stringify({
    type: 'image',
    version: 1,
    src,
    width: null,
    height: null,
    title: '',
    alt,
    caption: '',
    cardWidth: 'regular',
    href: '',
  });

/** A body that is known as HTML only. */
export const htmlCard = (html: string): string =>
  JSON.stringify({ type: 'html', version: 1, html });

const NAMES: Readonly<Record<string, string>> = {
  aside: 'Aside',
  audio: 'Audio',
  bookmark: 'Bookmark',
  button: 'Button',
  'call-to-action': 'Call to action',
  callout: 'Callout',
  codeblock: 'Code',
  email: 'Email content',
  'email-cta': 'Email call to action',
  embed: 'Embed',
  file: 'File',
  gallery: 'Gallery',
  header: 'Header',
  horizontalrule: 'Divider',
  html: 'HTML',
  image: 'Image',
  markdown: 'Markdown',
  paywall: 'Public preview ends here',
  product: 'Product',
  signup: 'Signup',
  toggle: 'Toggle',
  transistor: 'Podcast',
  video: 'Video',
};

/** Where a card's own words stand, the most telling first. */
const TELLING = [
  'text',
  'html',
  'markdown',
  'code',
  'title',
  'heading',
  'header',
  'productTitle',
  'calloutText',
  'textValue',
  'buttonText',
  'fileTitle',
  'fileName',
  'caption',
  'alt',
  'url',
  'src',
];

const SUMMARY_MAX = 600;
const DEPTH_MAX = 50;

export type CardDescription = {
  readonly type: string;
  readonly name: string;
  /** A beginning of what it says; empty when it says nothing. */
  readonly summary: string;
};

export const describeCard = (fields: Fields): CardDescription => {
  const type = typeof fields.type === 'string' ? fields.type : 'unknown';
  const said = wordsOf(fields, 0).slice(0, SUMMARY_MAX);
  return {
    type,
    name: NAMES[type] ?? `“${type}”`,
    summary: said === '' ? bookmarkTitle(fields) : said,
  };
};

const wordsOf = (fields: Fields, depth: number): string => {
  const key = TELLING.find((one) => typeof fields[one] === 'string' && fields[one] !== '');
  if (key !== undefined) return String(fields[key]);
  if (!Array.isArray(fields.children) || depth > DEPTH_MAX) return '';
  return fields.children
    .map((child) => (isJsonObject(child) ? wordsOf(child, depth + 1) : ''))
    .join('');
};

const bookmarkTitle = ({ metadata }: Fields): string =>
  isJsonObject(metadata) && typeof metadata.title === 'string' ? metadata.title : '';
