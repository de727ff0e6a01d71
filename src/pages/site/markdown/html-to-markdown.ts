// Bodies of posts as Markdown, with the tables of GitHub. Each card of Ghost's editor has a plain form: its words and its
// links, without what only a browser can use, such as players and forms.
import Turndown, { type Rule, type Node as TurndownNode } from 'turndown';

/** The same html gives the same text. Throws what the converter throws, as RangeError for html that is nested too deep. */
export const htmlToMarkdown = (html: string): string => converter.turndown(html);

/** What turndown's own parser gives of an element; types of browsers are not at hand. */
type Element = {
  readonly nodeName: string;
  readonly className: string;
  readonly textContent: string;
  readonly parentNode: Element | null;
  readonly previousElementSibling: Element | null;
  readonly previousSibling: Before | null;
  readonly children: ArrayLike<Element>;
  readonly getAttribute: (name: string) => string | null;
  readonly querySelector: (selector: string) => Element | null | undefined;
  readonly querySelectorAll: (selector: string) => ArrayLike<Element>;
};

type Before = { readonly nodeValue: string | null; readonly lastChild: Before | null };

const elementOf = (node: TurndownNode): Element => node as unknown as Element;

type PlainRule = {
  readonly of: (element: Element) => boolean;
  readonly to: (content: string, element: Element) => string;
};

const isNamed =
  (...names: readonly string[]) =>
  ({ nodeName }: Element): boolean =>
    names.includes(nodeName.toLowerCase());

const hasClass =
  (pattern: RegExp) =>
  ({ className }: Element): boolean =>
    pattern.test(className);

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
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length + 1);
  return '`'.repeat(Math.max(lengthMin, ...runs));
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
  const apart = isAfterMark(element) ? APART : '';
  return [`${apart}${linkOf(text, first)}`, ...more.map((address) => linkOf('…', address))].join(
    ' ',
  );
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

const isLink = (element: Element): boolean =>
  isNamed('a')(element) && Boolean(element.getAttribute('href'));

const APART = '<!-- -->';

/** Whether the text before it in its line ends with an exclamation mark. */
const isAfterMark = (element: Element): boolean => {
  let from: Element | null = element;
  while (from !== null && from.previousSibling === null && isPlain(from.parentNode)) {
    from = from.parentNode;
  }
  let before = from?.previousSibling ?? null;
  while (before?.lastChild) before = before.lastChild;
  return before?.nodeValue?.endsWith('!') ?? false;
};

/** Elements of a line that leave no mark of their own. */
const isPlain = (element: Element | null): boolean =>
  element !== null && isNamed('span', 'u', 'small', 'mark', 'sub', 'sup', 'kbd')(element);

/** Hashes at its end would belong to its mark. */
const heading = (content: string, { nodeName }: Element): string =>
  blockOf(`${'#'.repeat(Number(nodeName.slice(1)))} ${content.trim().replace(/(?<!\\)#$/, '\\#')}`);

const isStruck = isNamed('del', 's', 'strike');

const isWithinStruck = (element: Element | null): boolean =>
  element !== null && (isStruck(element) || isWithinStruck(element.parentNode));

const RULES: Readonly<Record<string, PlainRule>> = {
  leftOut: { of: isNamed('script', 'style', 'noscript', 'template', 'svg', 'input'), to: () => '' },
  players: {
    of: hasClass(/\bkg-(?:audio-(?:player|thumbnail)|video-(?:overlay|player-container))(?= |$)/),
    to: () => '',
  },
  forms: { of: hasClass(/\bkg-signup-card-form\b/), to: () => '' },
  bookmarkPicture: { of: hasClass(/\bkg-bookmark-(?:icon|thumbnail)\b/), to: () => '' },
  bookmarkPublisher: { of: hasClass(/\bkg-bookmark-publisher\b/), to: (text) => ` · ${text}` },
  // After this mark a link would be a picture.
  linkAfterMark: {
    of: (element) => isLink(element) && isAfterMark(element),
    to: (text, element) => `${APART}${linkOf(text, element.getAttribute('href') ?? '')}`,
  },
  linkedBlock: {
    of: (element) =>
      isLink(element) &&
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
  definition: { of: isNamed('dt', 'dd', 'summary', 'caption', 'figcaption'), to: blockOf },
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
  const escapeText = service.escape.bind(service);
  // Else words between angle brackets would be elements, and those of an entity its character; a lone `#`, `+`, `1.` or `2)`
  // would begin a heading or a list.
  service.escape = (text) =>
    escapeText(text)
      .replace(/[<|~]/g, '\\$&')
      .replace(/&(?=#?\w{1,32};)/g, '\\&')
      .replace(/^[#+]/, '\\$&')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
  return service;
};

const converter = createConverter();
