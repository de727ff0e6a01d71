// Asks for the address of a link, for the selected text or the link at the caret.
import type { LexicalEditor } from 'lexical';
import { $readCaret, addressOf, setLink } from './formatting.ts';

type LinkForm = { readonly element: HTMLFormElement; readonly open: () => void };

export const createLinkForm = (editor: LexicalEditor): LinkForm => {
  const form = document.createElement('form');
  form.className = 'editor-link-form';
  form.noValidate = true;
  form.hidden = true;
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'text';
  input.inputMode = 'url';
  input.autocomplete = 'off';
  label.append('Address', input);
  const fault = document.createElement('p');
  fault.setAttribute('role', 'alert');
  const close = (): void => {
    form.hidden = true;
    editor.focus();
  };
  const set = (address: string | null): void => {
    setLink(editor, address);
    close();
  };
  const remove = buttonOf('Remove', () => set(null));
  const apply = buttonOf('Set link', () => form.requestSubmit());
  form.append(label, apply, remove, buttonOf('Cancel', close), fault);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The form of the post around the editor is not meant.
    event.stopPropagation();
    const address = addressOf(input.value);
    if (address === null) fault.textContent = 'Write an address, such as https://example.org/.';
    else set(address);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  return {
    element: form,
    open: () => {
      const { link } = editor.getEditorState().read($readCaret);
      input.value = link ?? '';
      remove.hidden = link === null;
      fault.textContent = '';
      form.hidden = false;
      input.focus();
    },
  };
};

const buttonOf = (words: string, act: () => void): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words;
  button.addEventListener('click', act);
  return button;
};
