// The blocks of a document, one below the other: moving, deleting and inserting them. There is always one.
import {
  $createNodeSelection,
  $createParagraphNode,
  $getNodeByKey,
  $getRoot,
  $getSelection,
  $isElementNode,
  $isParagraphNode,
  $isRangeSelection,
  $setSelection,
  type LexicalNode,
  type NodeKey,
} from 'lexical';

export const $moveBlock = (key: NodeKey, direction: 'up' | 'down'): void => {
  const block = $getNodeByKey(key);
  if (block === null) return;
  if (direction === 'up') block.getPreviousSibling()?.insertBefore(block);
  else block.getNextSibling()?.insertAfter(block);
};

/** Deletes a block; the one after it, or else the one before, gets the caret. */
export const $removeBlock = (key: NodeKey): void => {
  const block = $getNodeByKey(key);
  if (block === null) return;
  const next = block.getNextSibling() ?? block.getPreviousSibling();
  block.remove();
  if (next === null) $ensureBlock();
  else $selectBlock(next);
};

export const $selectBlock = (block: LexicalNode): void => {
  if ($isElementNode(block)) {
    block.selectStart();
    return;
  }
  const selection = $createNodeSelection();
  selection.add(block.getKey());
  $setSelection(selection);
};

/** An empty document gets a paragraph to write in. */
export const $ensureBlock = (): void => {
  const root = $getRoot();
  if (root.getChildrenSize() > 0) return;
  const paragraph = $createParagraphNode();
  root.append(paragraph);
  paragraph.select();
};

/** The block that holds the caret, or is selected itself; null without a selection. */
export const $selectedBlock = (): LexicalNode | null => {
  const selection = $getSelection();
  const node = $isRangeSelection(selection)
    ? selection.anchor.getNode()
    : (selection?.getNodes()[0] ?? null);
  return node?.getParents().at(-2) ?? node;
};

/** Puts a block after another, or at the end when that is gone, and a paragraph after it to go on in. */
export const $insertBlock = (block: LexicalNode, afterKey: NodeKey | null): void => {
  const after = afterKey === null ? null : $getNodeByKey(afterKey);
  if (after === null) $getRoot().append(block);
  else after.insertAfter(block);
  if ($isParagraphNode(after) && after.isEmpty()) after.remove();
  const next = block.getNextSibling();
  if ($isElementNode(next)) {
    $selectBlock(next);
    return;
  }
  const paragraph = $createParagraphNode();
  block.insertAfter(paragraph);
  paragraph.select();
};
