// Whether a node was edited since it was opened.
import { $isElementNode, type LexicalNode } from 'lexical';
import { $isCardNode, $isKeptInlineNode } from './card-node.ts';
import { formOf } from './ghost-forms.ts';

/**
 * What two states of a node have alike when nothing in it was edited: which nodes it holds, and the form of each.
 * A node's key stays the same while it is edited, and when an edit is undone.
 */
export const $fingerprint = (node: LexicalNode): string => {
  const parts: unknown[] = [];
  $addParts(node, parts);
  return JSON.stringify(parts);
};

const $addParts = (node: LexicalNode, parts: unknown[]): void => {
  parts.push(node.getKey());
  if ($isCardNode(node) || $isKeptInlineNode(node)) {
    parts.push(node.getText());
    return;
  }
  if (node.getType() !== 'root') {
    const { direction: _direction, value: _value, ...form } = formOf(node);
    parts.push(form);
  }
  if (!$isElementNode(node)) return;
  parts.push('[');
  for (const child of node.getChildren()) $addParts(child, parts);
  parts.push(']');
};
