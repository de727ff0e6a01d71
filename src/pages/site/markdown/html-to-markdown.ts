// Bodies of posts as Markdown, with the tables of GitHub. Each card of Ghost's editor has a plain form: its words and its
// links, without what only a browser can use, such as players and forms.
import Turndown, { type Rule, type Node as TurndownNode } from 'turndown';
import { MARKDOWN_DEPTH_MAX } from '../../../base/limits.ts';

/** The same html gives the same text. Throws RangeError for html that is nested too deep, and what the converter throws. */
export const htmlToMarkdown = (html: string): string => {
  throwIfUnclosed(html);
  return converter.turndown(html).replaceAll(`!${END}[`, '\\![').replaceAll(END, '');
};

/** After a text that ends with an exclamation mark: a link there would be a picture. No text has it: it is no character. */
const END = '\uffff';

/** Each paragraph after one that these are not closed in has all of them again. */
const FORMATTING =
  /<(\/?)(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])([^>]*)/gi;
/** Of those that are alike, a parser has no more. */
const ALIKE_MAX = 3;

/** So many of them would make a tree of the square of the html. */
const throwIfUnclosed = (html: string): void => {
  const open = new Map<string, string[]>();
  let unclosed = 0;
  const shown = html.split('<!--').map(afterComment).join('');
  for (const [, slash, name = '', attributes = ''] of shown.matchAll(FORMATTING)) {
    const key = name.toLowerCase();
    const all = open.get(key) ?? [];
    open.set(key, all);
    if (slash !== '') unclosed -= all.pop() === undefined ? 0 : 1;
    else if (all.filter((one) => one === attributes).length < ALIKE_MAX) {
      all.push(attributes);
      unclosed += 1;
    }
    if (unclosed > MARKDOWN_DEPTH_MAX) throw new RangeError('Nested too deep');
  }
};

/** Of what follows the beginning of a comment, but for the first part, which follows none. */
const afterComment = (part: string, at: number): string => {
  if (at === 0) return part;
  const end = /^-?>|--!?>/.exec(part);
  return end === null ? '' : part.slice(end.index + end[0].length);
};

/** What turndown's own parser gives of an element; types of browsers are not at hand. */
type Element = {
  readonly nodeName: string;
  readonly className: string;
  readonly textContent: string;
  readonly parentNode: Element | null;
  readonly previousElementSibling: Element | null;
  readonly children: ArrayLike<Element>;
  readonly getAttribute: (name: string) => string | null;
  readonly querySelector: (selector: string) => Element | null | undefined;
  readonly querySelectorAll: (selector: string) => ArrayLike<Element>;
  /** What the converter puts around the element's text. */
  flankingWhitespace?: { readonly leading: string; readonly trailing: string };
};

const elementOf = (node: TurndownNode): Element => node as unknown as Element;

type PlainRule = {
  readonly of: (element: Element) => boolean;
  readonly to: (content: string, element: Element) => string;
};

const isNamed =
  (...names: readonly string[]) =>
  ({ nodeName }: Element): boolean =>
    names.includes(nodeName.toLowerCase());

/** Scripts, players, forms, and pictures of bookmarks. */
const isForBrowsers = (element: Element): boolean =>
  isUnread(element) || BROWSER_CLASS.test(element.className);

const isUnread = isNamed('script', 'style', 'noscript', 'template', 'svg', 'input');
const BROWSER_CLASS =
  /\bkg-(?:audio-(?:player|thumbnail)|video-(?:overlay|player-container)|signup-card-form|bookmark-(?:icon|thumbnail))(?= |$)/;

/** Blocks that the converter takes for parts of a line. */
const isDefinition = isNamed('dt', 'dd', 'summary', 'caption', 'figcaption');

const blockOf = (text: string): string => `\n\n${text}\n\n`;

/** Brackets, spaces and what else would end the address of a link are encoded. */
const linkOf = (text: string, address: string): string =>
  `[${text}](${address.replace(/[\s()<>\\]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)})`;

/** A link around a whole card is one of its first line; pictures have no line of words. */
const linkedBlock = (content: string, element: Element): string => {
  const blocks = content.trim().split(/\n{2,}/);
  const first = Math.max(
    0,
    blocks.findIndex((block) => !/^!\[[^\]]*\]\([^)]*\)$/.test(block)),
  );
  const address = element.getAttribute('href') ?? '';
  return blockOf(
    blocks
      .map((block, at) => (at === first ? linkOf(block.replace(/\s+/g, ' '), address) : block))
      .join('\n\n'),
  );
};

const embed = (_: string, element: Element): string => {
  const source = element.querySelector('source');
  const address =
    element.getAttribute('src') || element.getAttribute('data-src') || source?.getAttribute('src');
  if (!address || address.startsWith('about:')) return '';
  const name = element.getAttribute('title') || EMBEDS[element.nodeName] || 'Embed';
  return blockOf(linkOf(converter.escape(name), address));
};

const EMBEDS: Readonly<Record<string, string>> = { AUDIO: 'Audio', VIDEO: 'Video' };

/** Longer than each run of backticks in the text. */
const fenceOf = (text: string, lengthMin: number): string => {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), lengthMin));
};

const fenced = (_: string, element: Element): string => {
  const code = element.querySelector('code');
  const [, language = ''] = /\blanguage-([^\s`]+)/.exec(code?.className ?? element.className) ?? [];
  const text = element.textContent.replace(/\n$/, '');
  const fence = fenceOf(text, 3);
  return blockOf(`${fence}${language}\n${text}\n${fence}`);
};

/** Links in code would be its text. */
const linkedCode = (_: string, element: Element): string => {
  const [first = '', ...more] = Array.from(
    element.querySelectorAll('a[href]'),
    (link) => link.getAttribute('href') ?? '',
  );
  const fence = fenceOf(element.textContent, 1);
  const text = `${fence} ${element.textContent.replace(/\s+/g, ' ').trim()} ${fence}`;
  return [linkOf(text, first), ...more.map((address) => linkOf('…', address))].join(' ');
};

const cell = (content: string, element: Element): string => {
  const text = content.trim().replace(/\n+/g, '<br>').replace(/\\?\|/g, '\\|');
  const empty = Number(element.getAttribute('colspan') ?? 1) - 1;
  return ` ${text} |${'  |'.repeat(Math.max(0, Math.min(COLUMNS_MAX, empty || 0)))}`;
};

/** A table of such width is none that a person reads. */
const COLUMNS_MAX = 100;

/** GitHub knows only tables with a head: where the first row is none, an empty one stands before it. */
const row = (content: string, element: Element): string => {
  const line = `|${content.replace(/\n/g, ' ')}\n`;
  if (!isFirstRow(element)) return line;
  const columns = (content.match(/(?<!\\)\|/g) ?? []).length;
  const ruler = `|${' --- |'.repeat(columns)}\n`;
  const isHead = element.children[0]?.nodeName === 'TH';
  return isHead ? `${line}${ruler}` : `|${'  |'.repeat(columns)}\n${ruler}${line}`;
};

const isFirstRow = ({ previousElementSibling, parentNode }: Element): boolean => {
  if (previousElementSibling !== null)
    return isNamed('caption', 'colgroup')(previousElementSibling);
  const before = isNamed('table')(parentNode as Element)
    ? null
    : parentNode?.previousElementSibling;
  return !before || isNamed('caption', 'colgroup')(before);
};

/** Hashes at its end would belong to its mark. */
const heading = (content: string, { nodeName }: Element): string =>
  blockOf(`${'#'.repeat(Number(nodeName.slice(1)))} ${content.trim().replace(/(?<!\\)#$/, '\\#')}`);

const isStruck = isNamed('del', 's', 'strike');

const isWithinStruck = (element: Element | null): boolean =>
  element !== null && (isStruck(element) || isWithinStruck(element.parentNode));

const RULES: Readonly<Record<string, PlainRule>> = {
  leftOut: { of: isForBrowsers, to: () => '' },
  bookmarkPublisher: {
    of: ({ className }) => /\bkg-bookmark-publisher\b/.test(className),
    to: (text) => ` · ${text}`,
  },
  linkedBlock: {
    of: (element) =>
      isNamed('a')(element) &&
      Boolean(element.getAttribute('href')) &&
      Boolean(element.querySelector('div,p,h1,h2,h3,h4,h5,h6,figure,ul,ol,blockquote,table')),
    to: linkedBlock,
  },
  heading: { of: isNamed('h1', 'h2', 'h3', 'h4', 'h5', 'h6'), to: heading },
  embed: { of: isNamed('iframe', 'embed', 'audio', 'video'), to: embed },
  linkedCode: {
    of: (element) => isNamed('code')(element) && Boolean(element.querySelector('a[href]')),
    to: linkedCode,
  },
  fenced: { of: isNamed('pre'), to: fenced },
  // Four tildes would begin a block of code.
  struck: {
    of: isStruck,
    to: (text, { parentNode }) => (isWithinStruck(parentNode) ? text : `~~${text}~~`),
  },
  cell: { of: isNamed('td', 'th'), to: cell },
  row: { of: isNamed('tr'), to: row },
  rows: { of: isNamed('thead', 'tbody', 'tfoot', 'colgroup'), to: (text) => text },
  table: { of: isNamed('table'), to: (text) => blockOf(text.trim()) },
  definition: { of: isDefinition, to: blockOf },
};

const createConverter = (): Turndown => {
  const service = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    // Of a part of a word, too.
    emDelimiter: '*',
  });
  for (const [name, { of, to }] of Object.entries(RULES)) {
    const rule: Rule = {
      filter: (node) => of(elementOf(node)),
      replacement: (content, node) => to(content, elementOf(node as TurndownNode)),
    };
    service.addRule(name, rule);
  }
  const { rules } = service;
  const findRule = rules.forNode.bind(rules);
  const depths = new WeakMap<Element, number>();
  // It reads all that is in an element, at each level.
  rules.forNode = (node) => {
    const element = elementOf(node);
    const depth = 1 + ((element.parentNode && depths.get(element.parentNode)) ?? 0);
    if (depth > MARKDOWN_DEPTH_MAX) throw new RangeError('Nested too deep');
    depths.set(element, depth);
    // A space before its empty line would make code of a block that begins an item of a list.
    if (isDefinition(element)) element.flankingWhitespace = { leading: '', trailing: '' };
    return findRule(node);
  };
  const escapeText = service.escape.bind(service);
  // Else words between angle brackets would be elements, and those of an entity its character; a lone `#`, `+`, `1.` or `2)`
  // would begin a heading or a list.
  service.escape = (text) =>
    escapeText(text)
      .replace(/[<|~]/g, '\\$&')
      .replace(/&(?=#?\w{1,32};)/g, '\\&')
      .replace(/!$/, `$&${END}`)
      .replace(/^[#+]/, '\\$&')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
  return service;
};

const converter = createConverter();
