// The editor of posts: Lexical's document in a page, for the desk, which loads it when a post is opened.
// Documents are Ghost's; what the editor does not know is kept byte for byte.
import type { LexicalEditor } from 'lexical';
import { htmlCard } from './card-texts.ts';
import { registerCards } from './cards.ts';
import { createPostEditor, registerWriting } from './create-post-editor.ts';
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
  const status = document.createElement('p');
  status.className = 'editor-status';
  status.setAttribute('role', 'status');
  const say = (words: string): void => {
    status.textContent = words;
  };
  const editor = createPostEditor((error) => say(`The editor failed: ${error.message}`));
  const area = createArea();
  const opened = openDocument(editor, withBlock(lexical ?? firstDocument(html)));
  if (opened === null) {
    say('The stored body is not a document that the editor can read. It is kept as it is.');
    element.replaceChildren(status);
    return { destroy: () => element.replaceChildren() };
  }
  const images = registerImages(editor, uploadImage, say);
  const toolbar = createToolbar(editor, images.choose);
  const box = document.createElement('div');
  box.className = 'editor-box';
  box.append(toolbar.element, area);
  element.replaceChildren(box, status);
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

const createArea = (): HTMLElement => {
  const area = document.createElement('div');
  area.className = 'editor-area';
  area.contentEditable = 'true';
  area.spellcheck = true;
  area.setAttribute('role', 'textbox');
  area.setAttribute('aria-multiline', 'true');
  area.setAttribute('aria-label', 'Body of the post');
  return area;
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
