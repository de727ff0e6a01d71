// The editor of posts: Lexical's document in a page, for the desk, which loads it when a post is opened.
// Documents are Ghost's; what the editor does not know is kept byte for byte.

import type { LexicalEditor } from 'lexical';
import { htmlCard } from './card-texts.ts';
import { registerCards } from './cards.ts';
import { createPostEditor, registerWriting } from './create-post-editor.ts';
import { make } from './elements.ts';
import { registerImages, type UploadImage } from './images.ts';
import { documentOf, type OpenDocument, openDocument, withBlock } from './open-document.ts';
import { registerShortcuts } from './shortcuts.ts';
import { createToolbar } from './toolbar.ts';
import { $writeDocument } from './write-document.ts';

export type EditorOptions = {
  /** The stored document; null when there is none. */
  readonly lexical: string | null;
  /** The body of a post that has no document: it is opened as one HTML card. */
  readonly html: string | null;
  readonly uploadImage: UploadImage;
  /** Called at each change; the text is the one that was given when every change is undone. */
  readonly onChange: (state: { lexical: string }) => void;
};

export const mountEditor = (
  element: HTMLElement,
  { lexical, html, uploadImage, onChange }: EditorOptions,
): { destroy(): void } => {
  const status = make('p', { class: 'editor-status', role: 'status' });
  const say = (words: string): void => {
    status.textContent = words;
  };
  const editor = createPostEditor((error) => say(`The editor failed: ${error.message}`));
  const area = make('div', {
    class: 'editor-area',
    contenteditable: 'true',
    spellcheck: 'true',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': 'Body of the post',
  });
  const opened = openDocument(editor, withBlock(lexical ?? firstDocument(html)));
  if (opened === null) {
    say('The stored body is not a document that the editor can read. It is kept as it is.');
    element.replaceChildren(status);
    return { destroy: () => element.replaceChildren() };
  }
  const images = registerImages(editor, uploadImage, say);
  const toolbar = createToolbar(editor, images.choose);
  element.replaceChildren(make('div', { class: 'editor-box' }, toolbar.element, area), status);
  editor.setRootElement(area);
  const ends = [
    registerWriting(editor),
    registerCards(editor, area),
    registerShortcuts(editor, toolbar),
    reportChanges(editor, opened, onChange),
    toolbar.destroy,
    images.destroy,
  ];
  return {
    destroy: () => {
      for (const end of ends) end();
      editor.setRootElement(null);
      element.replaceChildren();
    },
  };
};

const firstDocument = (html: string | null): string =>
  html === null || html === '' ? documentOf() : documentOf(htmlCard(html));

const reportChanges = (
  editor: LexicalEditor,
  opened: OpenDocument,
  onChange: EditorOptions['onChange'],
): (() => void) => {
  let reported = opened.text;
  return editor.registerUpdateListener(({ editorState, dirtyElements, dirtyLeaves }) => {
    if (dirtyElements.size === 0 && dirtyLeaves.size === 0) return;
    const lexical = editorState.read(() => $writeDocument(opened));
    if (lexical === reported) return;
    reported = lexical;
    onChange({ lexical });
  });
};
