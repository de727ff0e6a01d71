// The editor's toolbar: one stop of the Tab key, within it the arrow keys, as assistive programs expect.

import {
  CAN_REDO_COMMAND,
  CAN_UNDO_COMMAND,
  COMMAND_PRIORITY_LOW,
  FORMAT_TEXT_COMMAND,
  type LexicalEditor,
  REDO_COMMAND,
  UNDO_COMMAND,
} from 'lexical';
import { make, makeButton } from './elements.ts';
import {
  $readCaret,
  type AtCaret,
  type BlockKind,
  type Format,
  insertRule,
  setKind,
} from './formatting.ts';
import { createLinkForm } from './link-form.ts';

export type Toolbar = {
  readonly element: HTMLElement;
  readonly focus: () => void;
  readonly editLink: () => void;
  readonly destroy: () => void;
};

const KINDS: readonly (readonly [BlockKind, string])[] = [
  ['paragraph', 'Paragraph'],
  ['h1', 'Heading 1'],
  ['h2', 'Heading 2'],
  ['h3', 'Heading 3'],
  ['h4', 'Heading 4'],
  ['h5', 'Heading 5'],
  ['h6', 'Heading 6'],
  ['quote', 'Quote'],
  ['bullet', 'Bulleted list'],
  ['number', 'Numbered list'],
];

const FORMAT_BUTTONS: readonly (readonly [Format, string, string])[] = [
  ['bold', 'B', 'Bold (Ctrl+B)'],
  ['italic', 'I', 'Italic (Ctrl+I)'],
  ['underline', 'U', 'Underline (Ctrl+U)'],
  ['strikethrough', 'S', 'Strikethrough (Ctrl+Shift+X)'],
  ['code', '<>', 'Code (Ctrl+E)'],
];

type Control = HTMLButtonElement | HTMLSelectElement;

export const createToolbar = (editor: LexicalEditor, chooseImage: () => void): Toolbar => {
  const linkForm = createLinkForm(editor);
  const kinds = createKinds(editor);
  const formats = FORMAT_BUTTONS.map(([format, sign, label]) => {
    const made = createButton(sign, label, () =>
      editor.dispatchCommand(FORMAT_TEXT_COMMAND, format),
    );
    made.dataset.format = format;
    return made;
  });
  const link = createButton('Link', 'Link (Ctrl+K)', linkForm.open);
  const bullets = createButton('•', 'Bulleted list (Ctrl+Shift+8)', () =>
    setKind(editor, 'bullet'),
  );
  const numbers = createButton('1.', 'Numbered list (Ctrl+Shift+7)', () =>
    setKind(editor, 'number'),
  );
  const undo = createButton('↶', 'Undo (Ctrl+Z)', () =>
    editor.dispatchCommand(UNDO_COMMAND, undefined),
  );
  const redo = createButton('↷', 'Redo (Ctrl+Shift+Z)', () =>
    editor.dispatchCommand(REDO_COMMAND, undefined),
  );
  const controls: readonly Control[] = [
    kinds,
    ...formats,
    link,
    bullets,
    numbers,
    createButton('—', 'Divider', () => insertRule(editor)),
    createButton('Image', 'Insert an image', chooseImage),
    undo,
    redo,
  ];
  const bar = createBar(controls);
  const element = make('div', { class: 'editor-tools' }, bar, linkForm.element);

  const show = ({ kind, formats: on, link: address }: AtCaret): void => {
    if (kind !== null) kinds.value = kind;
    for (const one of formats)
      setPressed(
        one,
        on.some((format) => format === one.dataset.format),
      );
    setPressed(link, address !== null);
    setPressed(bullets, kind === 'bullet');
    setPressed(numbers, kind === 'number');
  };
  const enable = (button: HTMLButtonElement) => (isOn: boolean) => {
    button.setAttribute('aria-disabled', String(!isOn));
    return false;
  };
  enable(undo)(false);
  enable(redo)(false);
  const ends = [
    editor.registerUpdateListener(({ editorState }) => show(editorState.read($readCaret))),
    editor.registerCommand(CAN_UNDO_COMMAND, enable(undo), COMMAND_PRIORITY_LOW),
    editor.registerCommand(CAN_REDO_COMMAND, enable(redo), COMMAND_PRIORITY_LOW),
  ];
  return {
    element,
    focus: () => controls.find((control) => control.tabIndex === 0)?.focus(),
    editLink: linkForm.open,
    destroy: () => {
      for (const end of ends) end();
    },
  };
};

const setPressed = (button: HTMLButtonElement, isPressed: boolean): void => {
  button.setAttribute('aria-pressed', String(isPressed));
};

const createButton = (sign: string, label: string, act: () => void): HTMLButtonElement => {
  // The sign is shown by the style: no part of what is read aloud.
  const attributes = { 'data-sign': sign, 'aria-label': label, title: label };
  const button = makeButton('', act, attributes);
  // The text keeps its selection.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  return button;
};

const createKinds = (editor: LexicalEditor): HTMLSelectElement => {
  const options = KINDS.map(([kind, name]) => new Option(name, kind));
  const select = make('select', { 'aria-label': 'Kind of block' }, ...options);
  select.addEventListener('change', () => {
    setKind(editor, select.value as BlockKind);
    editor.focus();
  });
  return select;
};

const createBar = (controls: readonly Control[]): HTMLElement => {
  const attributes = { class: 'editor-toolbar', role: 'toolbar', 'aria-label': 'Formatting' };
  const bar = make('div', attributes, ...controls);
  const goTo = (at: number): void => {
    const next = controls[(at + controls.length) % controls.length];
    for (const control of controls) control.tabIndex = control === next ? 0 : -1;
    next?.focus();
  };
  for (const [at, control] of controls.entries()) control.tabIndex = at === 0 ? 0 : -1;
  bar.addEventListener('keydown', (event) => {
    const at = controls.indexOf(event.target as Control);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    goTo(target);
  });
  return bar;
};
