// How the nodes that the editor knows are written: as Ghost's editor writes them. Children are not part of a
// form, and direction, which a browser decides while it shows a text, is no change.
import { $isLinkNode } from '@lexical/link';
import { $isListItemNode, $isListNode } from '@lexical/list';
import { $isHeadingNode, $isQuoteNode } from '@lexical/rich-text';
import {
  $isElementNode,
  $isLineBreakNode,
  $isParagraphNode,
  $isTextNode,
  type ElementNode,
  type LexicalNode,
  type TextNode,
} from 'lexical';
import type { Fields } from './card-texts.ts';

/** The fields of a node in the order in which they are written; `children` stands where they go. */
export const formOf = (node: LexicalNode): Fields => {
  if ($isTextNode(node)) return textForm(node);
  if ($isLineBreakNode(node)) return { type: 'linebreak', version: 1 };
  if (!$isElementNode(node)) throw new Error(`A node of type ${node.getType()} has no form.`);
  return { ...elementForm(node), ...ownFields(node) };
};

const textForm = (node: TextNode): Fields => ({
  detail: 0,
  format: node.getFormat(),
  mode: 'normal',
  style: node.getStyle(),
  text: node.getTextContent(),
  type: 'extended-text',
  version: 1,
});

const elementForm = (node: ElementNode): Fields => ({
  children: null,
  direction: node.getDirection(),
  format: node.getFormatType(),
  indent: node.getIndent(),
});

const ownFields = (node: ElementNode): Fields => {
  if ($isParagraphNode(node)) return { type: 'paragraph', version: 1 };
  if ($isHeadingNode(node)) return { type: 'extended-heading', version: 1, tag: node.getTag() };
  if ($isQuoteNode(node)) return { type: 'extended-quote', version: 1 };
  if ($isListNode(node)) {
    const listType = node.getListType();
    return { type: 'list', version: 1, listType, start: node.getStart(), tag: node.getTag() };
  }
  if ($isListItemNode(node)) {
    const checked = node.getChecked();
    const item = { type: 'listitem', version: 1, value: node.getValue() };
    return checked === undefined ? item : { ...item, checked };
  }
  if ($isLinkNode(node)) {
    return {
      type: 'link',
      version: 1,
      rel: node.getRel(),
      target: node.getTarget(),
      title: node.getTitle(),
      url: node.getURL(),
    };
  }
  throw new Error(`An element of type ${node.getType()} has no form.`);
};
