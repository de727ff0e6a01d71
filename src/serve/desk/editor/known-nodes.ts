// Makes the editor's nodes of a document's: those that it can show and write without loss. Null stands for any
// other, which the caller keeps as it is.
import { $createLinkNode } from '@lexical/link';
import { $createListItemNode, $createListNode, type ListType } from '@lexical/list';
import { $createHeadingNode, $createQuoteNode, type HeadingTagType } from '@lexical/rich-text';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  type ElementFormatType,
  type ElementNode,
  type TextNode,
} from 'lexical';
import { stillStyle } from '../ui/still-style.ts';
import type { Fields } from './card-texts.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNone = (value: unknown): value is string | null | undefined =>
  value === null || value === undefined || isText(value);
const isCount = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;

/** Bold, italic, strikethrough, underline, code, subscript, superscript and highlight. */
const FORMAT_MAX = 255;
const INDENT_MAX = 20;
const ALIGNMENTS = ['', 'left', 'start', 'center', 'right', 'end', 'justify'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const LIST_TYPES = ['bullet', 'number', 'check'];

export const $createKnownText = (fields: Fields): TextNode | null => {
  const { type, text, format = 0, style = '', mode = 'normal', detail = 0 } = fields;
  const isKnown = type === 'text' || type === 'extended-text';
  if (!isKnown || !isText(text) || !isText(style) || mode !== 'normal' || detail !== 0) return null;
  // Shown, it would fetch something; without that it would be another text.
  if (style !== stillStyle(style)) return null;
  return isCount(format, FORMAT_MAX)
    ? $createTextNode(text).setFormat(format).setStyle(style)
    : null;
};

export const $createKnownBreak = ({ type }: Fields) =>
  type === 'linebreak' ? $createLineBreakNode() : null;

export const $createKnownLink = (fields: Fields): ElementNode | null => {
  const { type, url, rel, target, title } = fields;
  const isKnown = type === 'link' && isText(url) && [rel, target, title].every(isTextOrNone);
  if (!isKnown) return null;
  return $withAlignment(
    $createLinkNode(url, {
      rel: rel as string | null,
      target: target as string | null,
      title: title as string | null,
    }),
    fields,
  );
};

/** A block of text within which everything that is text can stand. */
export const $createKnownTextBlock = (fields: Fields): ElementNode | null => {
  const { type, tag } = fields;
  if (type === 'paragraph') return $withAlignment($createParagraphNode(), fields);
  if (type === 'quote' || type === 'extended-quote' || type === 'aside') {
    return $withAlignment($createQuoteNode(), fields);
  }
  const isHeading = type === 'heading' || type === 'extended-heading';
  return isHeading && isText(tag) && HEADINGS.includes(tag)
    ? $withAlignment($createHeadingNode(tag as HeadingTagType), fields)
    : null;
};

export const $createKnownList = (fields: Fields): ElementNode | null => {
  const { type, listType, start = 1 } = fields;
  const isKnown = type === 'list' && isText(listType) && LIST_TYPES.includes(listType);
  if (!isKnown || !isCount(start, Number.MAX_SAFE_INTEGER)) return null;
  return $withAlignment($createListNode(listType as ListType, start), { ...fields, indent: 0 });
};

/** How far an item is indented is how deep its list stands. */
export const $createKnownItem = (fields: Fields): ElementNode | null => {
  const { type, value = 1, checked } = fields;
  if (type !== 'listitem' || !isCount(value, Number.MAX_SAFE_INTEGER)) return null;
  if (checked !== undefined && typeof checked !== 'boolean') return null;
  const item = $createListItemNode(checked);
  item.setValue(value);
  return $withAlignment(item, { ...fields, indent: 0 });
};

const $withAlignment = (node: ElementNode, fields: Fields): ElementNode | null => {
  const { format = '', indent = 0 } = fields;
  if (!isText(format) || !ALIGNMENTS.includes(format) || !isCount(indent, INDENT_MAX)) return null;
  if (format !== '') node.setFormat(format as ElementFormatType);
  if (indent > 0) node.setIndent(indent);
  return node;
};
