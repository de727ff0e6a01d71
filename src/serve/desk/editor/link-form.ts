// Asks for the address of a link, for the selected text or the link at the caret.
import type { LexicalEditor } from 'lexical';
import { $readCaret, addressOf, setLink } from './formatting.ts';

type LinkForm = { readonly element: HTMLElement; readonly open: () => void };

/** No form of HTML: it stands within the form of the post. */
export const createLinkForm = (editor: LexicalEditor): LinkForm => {
  const element = document.createElement('div');
  element.className = 'editor-link-form';
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', 'Link');
  element.hidden = true;
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'text';
  input.inputMode = 'url';
  input.autocomplete = 'off';
  label.append('Address', input);
  const fault = document.createElement('p');
  fault.setAttribute('role', 'alert');
  const close = (): void => {
    element.hidden = true;
    editor.focus();
  };
  const set = (address: string | null): void => {
    setLink(editor, address);
    close();
  };
  const apply = (): void => {
    const address = addressOf(input.value);
    if (address === null) fault.textContent = 'Write an address, such as https://example.org/.';
    else set(address);
  };
  const remove = buttonOf('Remove', () => set(null));
  element.append(label, buttonOf('Set link', apply), remove, buttonOf('Cancel', close), fault);
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter' || event.target !== input) return;
    event.preventDefault();
    apply();
  });
  return {
    element,
    open: () => {
      const { link } = editor.getEditorState().read($readCaret);
      input.value = link ?? '';
      remove.hidden = link === null;
      fault.textContent = '';
      element.hidden = false;
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
