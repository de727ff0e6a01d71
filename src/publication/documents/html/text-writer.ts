// Writes the plain text of html while it is read: what each element does to the text;
// how words and blocks stand below one another in plain-block.ts.
import { decodeHTML } from 'entities';
import { bullets, createNumbers, type NextBullet } from './list-bullets.ts';
import type { Attributes, MarkupHandler } from './markup-reader.ts';
import { PlainBlock } from './plain-block.ts';

/**
 * Lists within more lists than that, and longer items, are not moved in further: their text would outgrow its
 * source, and be copied once for each list around it.
 */
const INDENTED_LISTS_MAX = 10;
const INDENTED_UNITS_MAX = 65_536;
const ROOT_LEADING = 1;

type Item = { readonly bullet: string; readonly block: PlainBlock };

type List = {
  readonly nextBullet: NextBullet;
  readonly isNested: boolean;
  readonly level: number;
  readonly items: Item[];
};

type Frame = {
  readonly name: string;
  isHidden: boolean;
  readonly format: TextFormat;
  /** The list that it begins. */
  readonly list: List | null;
  itemOf: List | null;
  readonly isBody: boolean;
  /** It is, or lies in, an element of code: no body is looked for there. */
  readonly isCode: boolean;
};

const createFrame = (): Frame => ({
  name: '',
  isHidden: false,
  format: { kind: 'inline' },
  list: null,
  itemOf: null,
  isBody: false,
  isCode: false,
});

/** A parser ends them at once when a slash ends their tag, and then reads what follows as html. */
const CODE = new Set(['script', 'style']);

export class TextWriter implements MarkupHandler {
  #blocks = [new PlainBlock(ROOT_LEADING, false)];
  readonly #frames = [createFrame()];
  #lists = 0;
  /** Once there is a body element, only what such elements hold is shown. */
  #hasBody = false;
  #isInBody = false;

  /** What is shown of the elements that have ended: it grows, and does not change but by a body element. */
  get result(): string {
    return this.#blocks[0]?.text ?? '';
  }

  readonly open = (name: string, attributes: Attributes): void => {
    const isBody = this.#isBody(name);
    if (isBody) this.#enterBody();
    const parent = this.#frame;
    const format = formatOf(name, attributes);
    const isHidden = parent.isHidden && !isBody;
    const itemOf = isHidden || isBody ? null : parent.list;
    if (itemOf !== null) this.#openItem(itemOf, name);
    const isShown = !isHidden && format.kind !== 'skip';
    this.#frames.push({
      name,
      isHidden: !isShown,
      format,
      list: isShown ? this.#createList(format, parent, attributes) : null,
      itemOf,
      isBody,
      isCode: parent.isCode || CODE.has(name),
    });
    if (isShown) this.#beginFormat(format);
  };

  readonly close = (): void => {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    if (!frame.isHidden) this.#endElement(frame);
    if (frame.itemOf !== null) this.#blocks.pop();
    if (frame.isBody) this.#isInBody = false;
  };

  readonly text = (text: string): void => {
    const { isHidden, list } = this.#frame;
    if (isHidden || (list !== null && text.trim() === '')) return;
    if (list !== null) this.#openItem(list, '');
    this.#block.addWords(decodeHTML(text));
    if (list !== null) this.#blocks.pop();
  };

  readonly other = (): void => {
    const { isHidden, list } = this.#frame;
    if (isHidden || list === null) return;
    this.#openItem(list, '');
    this.#blocks.pop();
  };

  get #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  get #block(): PlainBlock {
    return this.#blocks.at(-1) as PlainBlock;
  }

  #isBody(name: string): boolean {
    return name === 'body' && !this.#isInBody && !this.#frame.isCode;
  }

  #beginFormat(format: TextFormat): void {
    if (format.kind === 'lineBreak') this.#block.addLineBreak();
    else if (format.kind === 'block' || format.kind === 'pre') {
      this.#openBlock(format.leading, format.kind === 'pre');
    }
  }

  #openBlock(leading: number, isPre: boolean): void {
    this.#blocks.push(new PlainBlock(leading, isPre || this.#block.isPre));
  }

  #createList(format: TextFormat, parent: Frame, { start, type }: Attributes): List | null {
    if (format.kind !== 'list' && format.kind !== 'numberedList') return null;
    this.#lists += 1;
    return {
      nextBullet: format.kind === 'list' ? bullets : createNumbers(start, type),
      isNested: parent.name === 'li',
      level: this.#lists,
      items: [],
    };
  }

  #openItem(list: List, name: string): void {
    const bullet = name === 'li' ? list.nextBullet() : '';
    this.#openBlock(1, false);
    list.items.push({ bullet: list.isNested ? bullet.trimStart() : bullet, block: this.#block });
  }

  #endElement({ format, list }: Frame): void {
    if (list !== null) {
      this.#lists -= 1;
      this.#addList(list);
    } else if (format.kind === 'block' || format.kind === 'pre') {
      const block = this.#blocks.pop();
      if (block !== undefined) this.#addBlock(block, format.trailing);
    }
  }

  #addBlock(block: PlainBlock, trailing: number): void {
    this.#block.addBlock(block.text, block.leading, Math.max(block.trailing, trailing));
  }

  #addList({ items, isNested, level }: List): void {
    if (items.length === 0) return;
    const breaks = isNested ? 1 : 2;
    const isIndented = level <= INDENTED_LISTS_MAX;
    const width = isIndented
      ? items.reduce((max, { bullet }) => Math.max(max, bullet.length), 0)
      : 0;
    const lineStart = `\n${' '.repeat(width)}`;
    const indent = ({ text }: PlainBlock): string =>
      isIndented && text.length <= INDENTED_UNITS_MAX ? text.replaceAll('\n', lineStart) : text;
    const all = new PlainBlock(breaks, this.#block.isPre);
    for (const { bullet, block } of items) {
      all.addBlock(
        bullet.padEnd(width) + indent(block),
        block.leading,
        Math.max(block.trailing, 1),
      );
    }
    this.#addBlock(all, breaks);
  }

  #enterBody(): void {
    this.#isInBody = true;
    if (this.#hasBody) return;
    this.#hasBody = true;
    this.#blocks = [new PlainBlock(ROOT_LEADING, false)];
    this.#lists = 0;
    for (const frame of this.#frames) {
      frame.isHidden = true;
      frame.itemOf = null;
    }
  }
}

type TextFormat =
  | { readonly kind: 'inline' | 'skip' | 'lineBreak' | 'list' | 'numberedList' }
  /** Line breaks that part it from what comes before and after. */
  | { readonly kind: 'block' | 'pre'; readonly leading: number; readonly trailing: number };

const INLINE: TextFormat = { kind: 'inline' };
const SKIP: TextFormat = { kind: 'skip' };

const block = (names: string, leading: number, trailing: number): [string, TextFormat][] =>
  names.split(' ').map((name) => [name, { kind: 'block', leading, trailing }]);

const FORMATS: ReadonlyMap<string, TextFormat> = new Map([
  ...block('article aside footer form header main nav section', 1, 1),
  ...block('blockquote h4 h5 h6 p table', 2, 2),
  ...block('h1 h2 h3', 3, 2),
  ['pre', { kind: 'pre', leading: 2, trailing: 2 }],
  ['br', { kind: 'lineBreak' }],
  ['ul', { kind: 'list' }],
  ['ol', { kind: 'numberedList' }],
  ...['img', 'hr', 'figcaption', 'script', 'style'].map((name) => [name, SKIP] as const),
]);

const formatOf = (name: string, attributes: Attributes): TextFormat => {
  if (name === 'a' && attributes.rel === 'footnote') return SKIP;
  if (attributes.class !== undefined) {
    const classes = attributes.class.split(/\s+/);
    if (classes.includes('kg-signup-card')) return SKIP;
    if (name === 'div' && classes.includes('footnotes')) return SKIP;
  }
  return FORMATS.get(name) ?? INLINE;
};
