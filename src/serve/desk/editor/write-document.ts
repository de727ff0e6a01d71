// Writes the document that is in the editor. A document that was not edited is the same text; a node that was
// not edited stands there byte for byte as it was opened, whatever was edited around it; of one that was,
// the fields that changed are written anew and all others stay.
import { $getRoot, $isElementNode, type ElementNode, type LexicalNode } from 'lexical';
import { replaceMembers } from '../../../base/text/json-places.ts';
import { $isCardNode, $isKeptInlineNode } from './card-node.ts';
import { $fingerprint } from './fingerprint.ts';
import { formOf } from './ghost-forms.ts';
import type { OpenDocument, Source } from './open-document.ts';

/** Reads the present state: call it within one. */
export const $writeDocument = (opened: OpenDocument): string => {
  const root = $getRoot();
  if ($fingerprint(root) === opened.fingerprint) return opened.text;
  const { text, blocks } = opened;
  return text.slice(0, blocks.start) + $writeChildren(root, opened) + text.slice(blocks.end);
};

const $writeChildren = (node: ElementNode, opened: OpenDocument): string =>
  `[${node
    .getChildren()
    .map((child) => $writeNode(child, opened))
    .join(',')}]`;

const $writeNode = (node: LexicalNode, opened: OpenDocument): string => {
  if ($isCardNode(node) || $isKeptInlineNode(node)) return node.getText();
  const source = opened.sources.get(node.getKey());
  return source === undefined
    ? $writeNewNode(node, opened)
    : $writeOpenedNode(node, source, opened);
};

const $writeNewNode = (node: LexicalNode, opened: OpenDocument): string => {
  const members = Object.entries(formOf(node)).map(([name, value]) => {
    const isChildren = name === 'children' && $isElementNode(node);
    return `"${name}":${isChildren ? $writeChildren(node, opened) : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
};

const $writeOpenedNode = (node: LexicalNode, source: Source, opened: OpenDocument): string => {
  const form = formOf(node);
  const isEdited = $fingerprint(node) !== source.fingerprint;
  // Only the number of an item changes by itself.
  if (!isEdited && form.value === source.form.value) {
    return source.text.slice(source.place.start, source.place.end);
  }
  const changes = Object.entries(form)
    .filter(([name, value]) => name !== 'children' && value !== source.form[name])
    .filter(([name, value]) => name !== 'direction' || value !== null)
    .map(([name, value]) => [name, JSON.stringify(value)] as const);
  const children =
    isEdited && $isElementNode(node) ? { children: $writeChildren(node, opened) } : {};
  return replaceMembers(source.text, source.place, { ...Object.fromEntries(changes), ...children });
};
