// Nodes that the editor keeps as they are: cards and whatever else it does not know, as blocks and within
// text. Each carries its JSON text, which is written back as it stands.

import {
  DecoratorNode,
  type DOMConversionMap,
  type DOMExportOutput,
  type EditorConfig,
  type LexicalEditor,
  type LexicalNode,
  type NodeKey,
  type SerializedLexicalNode,
  type Spread,
} from 'lexical';
import { describeCard, fieldsOf, imageCard, RULE_CARD } from './card-texts.ts';
import { createCardView, updateCardView } from './card-view.ts';
import { make } from './elements.ts';

type SerializedCard = Spread<{ text: string }, SerializedLexicalNode>;

/** A block that is shown by its kind, and moved or deleted as a whole. */
export class CardNode extends DecoratorNode<null> {
  __text: string;

  constructor(text: string, key?: NodeKey) {
    super(key);
    this.__text = text;
  }

  static override getType(): string {
    return 'kept-card';
  }

  static override clone(node: CardNode): CardNode {
    return new CardNode(node.__text, node.__key);
  }

  static override importJSON(serialized: SerializedCard): CardNode {
    return $createCardNode(serialized.text);
  }

  override exportJSON(): SerializedCard {
    return { type: 'kept-card', version: 1, text: this.getText() };
  }

  static override importDOM(): DOMConversionMap | null {
    return {
      hr: () => ({ conversion: () => ({ node: $createCardNode(RULE_CARD) }), priority: 1 }),
      img: (element) => ({
        conversion: () => ({ node: $createPastedImage(element) }),
        priority: 1,
      }),
    };
  }

  override exportDOM(): DOMExportOutput {
    const fields = fieldsOf(this.getText());
    if (fields.type === 'horizontalrule') return { element: make('hr') };
    const element =
      fields.type === 'image'
        ? make('img', { src: String(fields.src ?? ''), alt: String(fields.alt ?? '') })
        : make('p', {}, describeCard(fields).summary);
    return { element };
  }

  override createDOM(_config: EditorConfig, editor: LexicalEditor): HTMLElement {
    return createCardView(this, editor);
  }

  override updateDOM(_previous: CardNode, element: HTMLElement): boolean {
    updateCardView(element, this.__text);
    return false;
  }

  getText(): string {
    return this.getLatest().__text;
  }

  setText(text: string): void {
    this.getWritable().__text = text;
  }

  override isInline(): false {
    return false;
  }

  override decorate(): null {
    return null;
  }
}

/** An address of a page elsewhere is kept; a picture within the markup is no address. */
const $createPastedImage = (element: HTMLElement): CardNode | null => {
  const src = element.getAttribute('src') ?? '';
  return /^https?:\/\//.test(src)
    ? $createCardNode(imageCard({ src, alt: element.getAttribute('alt') ?? '' }))
    : null;
};

export const $createCardNode = (text: string): CardNode => new CardNode(text);

export const $isCardNode = (node: LexicalNode | null | undefined): node is CardNode =>
  node instanceof CardNode;

/** What stands within a paragraph and is not known, such as Ghost's `tk` and `at-link`. */
export class KeptInlineNode extends DecoratorNode<null> {
  __text: string;

  constructor(text: string, key?: NodeKey) {
    super(key);
    this.__text = text;
  }

  static override getType(): string {
    return 'kept-inline';
  }

  static override clone(node: KeptInlineNode): KeptInlineNode {
    return new KeptInlineNode(node.__text, node.__key);
  }

  static override importJSON(serialized: SerializedCard): KeptInlineNode {
    return $createKeptInlineNode(serialized.text);
  }

  override exportJSON(): SerializedCard {
    return { type: 'kept-inline', version: 1, text: this.getText() };
  }

  override createDOM(): HTMLElement {
    return make('span', { class: 'editor-kept' }, this.getTextContent());
  }

  override updateDOM(): false {
    return false;
  }

  getText(): string {
    return this.getLatest().__text;
  }

  override getTextContent(): string {
    return describeCard(fieldsOf(this.getText())).summary;
  }

  override isInline(): true {
    return true;
  }

  override decorate(): null {
    return null;
  }
}

export const $createKeptInlineNode = (text: string): KeptInlineNode => new KeptInlineNode(text);

export const $isKeptInlineNode = (node: LexicalNode | null | undefined): node is KeptInlineNode =>
  node instanceof KeptInlineNode;
