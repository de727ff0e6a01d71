// The editor of posts without its page: Lexical with the nodes that it knows, lists and undoing.
import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { LinkNode } from '@lexical/link';
import { $handleListInsertParagraph, ListItemNode, ListNode } from '@lexical/list';
import { HeadingNode, QuoteNode, registerRichText } from '@lexical/rich-text';
import {
  COMMAND_PRIORITY_LOW,
  createEditor,
  INSERT_PARAGRAPH_COMMAND,
  type LexicalEditor,
  TextNode,
} from 'lexical';
import { stillStyle } from '../ui/still-style.ts';
import { CardNode, KeptInlineNode } from './card-node.ts';

/** Undone is what was typed within this time, at once. */
const HISTORY_DELAY_MS = 500;

export const createPostEditor = (onError: (error: Error) => void): LexicalEditor =>
  createEditor({
    namespace: 'prepress-desk',
    nodes: [HeadingNode, QuoteNode, ListNode, ListItemNode, LinkNode, CardNode, KeptInlineNode],
    theme: {
      text: {
        underline: 'editor-underline',
        strikethrough: 'editor-strikethrough',
        underlineStrikethrough: 'editor-underline-strikethrough',
        code: 'editor-code',
      },
      list: { nested: { listitem: 'editor-nesting' } },
    },
    onError,
  });

/** Begins after the document was opened, so that opening cannot be undone. */
export const registerWriting = (editor: LexicalEditor): (() => void) => {
  const ends = [
    registerRichText(editor),
    // What is pasted from another editor may bring any style.
    editor.registerNodeTransform(TextNode, (node) => {
      const style = stillStyle(node.getStyle());
      if (style !== node.getStyle()) node.setStyle(style);
    }),
    registerHistory(editor, createEmptyHistoryState(), HISTORY_DELAY_MS),
    editor.registerCommand(
      INSERT_PARAGRAPH_COMMAND,
      () => $handleListInsertParagraph(),
      COMMAND_PRIORITY_LOW,
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
};
