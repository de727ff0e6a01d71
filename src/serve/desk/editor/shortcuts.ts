// The keys of the editor. Bold, italic, underline, undo and redo are Lexical's own.
import {
  COMMAND_PRIORITY_LOW,
  FORMAT_TEXT_COMMAND,
  KEY_MODIFIER_COMMAND,
  type LexicalEditor,
} from 'lexical';
import { $moveBlock, $selectedBlock } from './blocks.ts';
import { type BlockKind, setKind } from './formatting.ts';
import type { Toolbar } from './toolbar.ts';

/** With Ctrl (or ⌘) and Alt. */
const KINDS: Readonly<Record<string, BlockKind>> = {
  Digit0: 'paragraph',
  Digit1: 'h1',
  Digit2: 'h2',
  Digit3: 'h3',
  Digit4: 'h4',
  Digit5: 'h5',
  Digit6: 'h6',
  KeyQ: 'quote',
};

/** With Ctrl (or ⌘) and Shift. */
const LISTS: Readonly<Record<string, BlockKind>> = { Digit7: 'number', Digit8: 'bullet' };

type Keys = Pick<Toolbar, 'focus' | 'editLink'>;

export const registerShortcuts = (editor: LexicalEditor, toolbar: Keys): (() => void) => {
  /** With Ctrl (or ⌘) alone, or with Shift. */
  const formats: Readonly<Record<string, () => void>> = {
    KeyK: () => toolbar.editLink(),
    KeyE: () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'code'),
    'Shift+KeyX': () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'strikethrough'),
  };
  const actOn = (event: KeyboardEvent): (() => void) | undefined => {
    const { code, altKey, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (!isCommand) return altKey ? altAction(editor, toolbar, code) : undefined;
    const kind = altKey ? KINDS[code] : shiftKey ? LISTS[code] : undefined;
    if (kind !== undefined) return () => setKind(editor, kind);
    return altKey ? undefined : formats[`${shiftKey ? 'Shift+' : ''}${code}`];
  };
  return editor.registerCommand(
    KEY_MODIFIER_COMMAND,
    (event) => {
      const act = actOn(event);
      if (act === undefined) return false;
      event.preventDefault();
      act();
      return true;
    },
    COMMAND_PRIORITY_LOW,
  );
};

const altAction = (
  editor: LexicalEditor,
  toolbar: Keys,
  code: string,
): (() => void) | undefined => {
  if (code === 'F10') return () => toolbar.focus();
  if (code !== 'ArrowUp' && code !== 'ArrowDown') return undefined;
  return () =>
    editor.update(() => {
      const block = $selectedBlock();
      if (block !== null) $moveBlock(block.getKey(), code === 'ArrowUp' ? 'up' : 'down');
    });
};
