// What the toolbar and the keys do to the selected text, and what is on at the caret.
import { $isLinkNode, toggleLink } from '@lexical/link';
import { $isListNode, insertList, removeList } from '@lexical/list';
import {
  $createHeadingNode,
  $createQuoteNode,
  $isHeadingNode,
  $isQuoteNode,
  type HeadingTagType,
} from '@lexical/rich-text';
import { $setBlocksType } from '@lexical/selection';
import {
  $createParagraphNode,
  $getSelection,
  $isRangeSelection,
  type LexicalEditor,
  type LexicalNode,
  type TextFormatType,
} from 'lexical';
import { $insertBlock, $selectedBlock } from './blocks.ts';
import { $createCardNode } from './card-node.ts';
import { RULE_CARD } from './card-texts.ts';

export type BlockKind = 'paragraph' | HeadingTagType | 'quote' | 'bullet' | 'number';

export const FORMATS = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'code',
] as const satisfies readonly TextFormatType[];

export type Format = (typeof FORMATS)[number];

export type AtCaret = {
  readonly kind: BlockKind | null;
  readonly formats: readonly Format[];
  readonly link: string | null;
};

export const $readCaret = (): AtCaret => {
  const selection = $getSelection();
  const kind = $kindOf($selectedBlock());
  if (!$isRangeSelection(selection)) return { kind, formats: [], link: null };
  const formats = FORMATS.filter((format) => selection.hasFormat(format));
  const link = selection.anchor.getNode().getParents().find($isLinkNode);
  return { kind, formats, link: link?.getURL() ?? null };
};

const $kindOf = (block: LexicalNode | null): BlockKind | null => {
  if ($isHeadingNode(block)) return block.getTag();
  if ($isQuoteNode(block)) return 'quote';
  if ($isListNode(block)) return block.getListType() === 'number' ? 'number' : 'bullet';
  return block?.getType() === 'paragraph' ? 'paragraph' : null;
};

/** A list that is chosen where it is becomes paragraphs again. */
export const setKind = (editor: LexicalEditor, kind: BlockKind): void => {
  const present = editor.getEditorState().read(() => $readCaret().kind);
  if (kind === 'bullet' || kind === 'number') {
    if (present === kind) removeList(editor);
    else insertList(editor, kind);
    return;
  }
  if (present === 'bullet' || present === 'number') removeList(editor);
  editor.update(() => {
    const selection = $getSelection();
    if ($isRangeSelection(selection)) $setBlocksType(selection, () => $createBlock(kind));
  });
};

const $createBlock = (kind: Exclude<BlockKind, 'bullet' | 'number'>) => {
  if (kind === 'paragraph') return $createParagraphNode();
  return kind === 'quote' ? $createQuoteNode() : $createHeadingNode(kind);
};

export const insertRule = (editor: LexicalEditor): void => {
  editor.update(() => {
    const key = $selectedBlock()?.getKey() ?? null;
    $insertBlock($createCardNode(RULE_CARD), key);
  });
};

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|[/#]|__GHOST_URL__)/i;
const HOST = /^[^\s/:.]+\.[^\s:]+$/;

/** The address that was meant; null for what is none. */
export const addressOf = (written: string): string | null => {
  const text = written.trim();
  if (/\s/.test(text)) return null;
  if (ADDRESS.test(text)) return text;
  if (/^[^\s@:]+@[^\s@:]+$/.test(text)) return `mailto:${text}`;
  return HOST.test(text) ? `https://${text}` : null;
};

/** Null takes the link away. Without selected text, the address becomes the text. */
export const setLink = (editor: LexicalEditor, address: string | null): void => {
  editor.update(() => {
    const selection = $getSelection();
    if (!$isRangeSelection(selection)) return;
    const isWithin = selection.anchor.getNode().getParents().some($isLinkNode);
    if (address !== null && selection.isCollapsed() && !isWithin) {
      const start = selection.anchor.offset;
      selection.insertText(address);
      if (selection.anchor.type === 'text' && selection.anchor.offset >= address.length) {
        const from = selection.anchor.offset - address.length;
        selection.anchor.set(selection.anchor.key, from >= 0 ? from : start, 'text');
      }
    }
    toggleLink(address, { rel: null });
  });
};
