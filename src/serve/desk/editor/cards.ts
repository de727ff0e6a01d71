// What the keys and the mouse do to cards: a click selects one, Delete and Backspace delete what is selected,
// Enter goes on below it. A click below the last block begins a paragraph.
import {
  $createParagraphNode,
  $getNearestNodeFromDOMNode,
  $getRoot,
  $getSelection,
  $isNodeSelection,
  CLICK_COMMAND,
  COMMAND_PRIORITY_LOW,
  KEY_BACKSPACE_COMMAND,
  KEY_DELETE_COMMAND,
  KEY_ENTER_COMMAND,
  type LexicalEditor,
  type LexicalNode,
  RootNode,
} from 'lexical';
import { $ensureBlock, $removeBlock, $selectBlock } from './blocks.ts';
import { $isCardNode } from './card-node.ts';

export const registerCards = (editor: LexicalEditor, area: HTMLElement): (() => void) => {
  const ends = [
    editor.registerCommand(CLICK_COMMAND, (event) => $clickCard(event, area), COMMAND_PRIORITY_LOW),
    editor.registerCommand(KEY_BACKSPACE_COMMAND, $deleteSelected, COMMAND_PRIORITY_LOW),
    editor.registerCommand(KEY_DELETE_COMMAND, $deleteSelected, COMMAND_PRIORITY_LOW),
    editor.registerCommand(KEY_ENTER_COMMAND, $goOnBelow, COMMAND_PRIORITY_LOW),
    editor.registerNodeTransform(RootNode, $ensureBlock),
    showSelected(editor),
  ];
  return () => {
    for (const end of ends) end();
  };
};

const $clickCard = (event: MouseEvent, area: HTMLElement): boolean => {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('.editor-card button, .editor-card input')) {
    return false;
  }
  if (target === area) return $clickBelow(event);
  const node = $getNearestNodeFromDOMNode(target);
  if (!$isCardNode(node)) return false;
  $selectBlock(node);
  return true;
};

const $clickBelow = ({ clientY, target }: MouseEvent): boolean => {
  const last = $getRoot().getLastChild();
  const lowest = (target as Element).lastElementChild?.getBoundingClientRect().bottom ?? 0;
  if (!$isCardNode(last) || clientY <= lowest) return false;
  const paragraph = $createParagraphNode();
  last.insertAfter(paragraph);
  paragraph.select();
  return true;
};

const $selectedCards = (): LexicalNode[] => {
  const selection = $getSelection();
  return $isNodeSelection(selection) ? selection.getNodes().filter($isCardNode) : [];
};

const $deleteSelected = (event: KeyboardEvent): boolean => {
  const cards = $selectedCards();
  if (cards.length === 0) return false;
  event.preventDefault();
  for (const card of cards) $removeBlock(card.getKey());
  return true;
};

const $goOnBelow = (event: KeyboardEvent | null): boolean => {
  const card = $selectedCards().at(-1);
  if (card === undefined) return false;
  event?.preventDefault();
  const paragraph = $createParagraphNode();
  card.insertAfter(paragraph);
  paragraph.select();
  return true;
};

const showSelected = (editor: LexicalEditor): (() => void) => {
  let shown: Element[] = [];
  return editor.registerUpdateListener(({ editorState }) => {
    const cards = editorState.read($selectedCards);
    for (const element of shown) element.classList.remove('editor-selected');
    shown = cards
      .map((card) => editor.getElementByKey(card.getKey()))
      .filter((element) => element !== null);
    for (const element of shown) element.classList.add('editor-selected');
  });
};
