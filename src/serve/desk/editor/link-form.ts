// Asks for the address of a link, for the selected text or the link at the caret.

import type { LexicalEditor } from 'lexical';
import { make, makeButton } from './elements.ts';
import { $readCaret, addressOf, setLink } from './formatting.ts';

type LinkForm = { readonly element: HTMLElement; readonly open: () => void };

/** No form of HTML: it stands within the form of the post. */
export const createLinkForm = (editor: LexicalEditor): LinkForm => {
  const input = make('input', { type: 'text', inputmode: 'url', autocomplete: 'off' });
  const fault = make('p', { role: 'alert' });
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
  const remove = makeButton('Remove', () => set(null));
  const element = make(
    'div',
    { class: 'editor-link-form', role: 'group', 'aria-label': 'Link', hidden: '' },
    make('label', {}, 'Address', input),
    makeButton('Set link', apply),
    remove,
    makeButton('Cancel', close),
    fault,
  );
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
