// Forms that their buttons alone send. Enter in a field of one line moves on to the next field, so that no key that is
// pressed while typing saves, mails or publishes anything.
import type { ComponentChild } from 'preact';

type FormProps = { readonly class?: string; readonly children: ComponentChild };

export const Form = ({ children, ...props }: FormProps) => (
  <form {...props} onSubmit={(event) => event.preventDefault()} onKeyDown={moveOn}>
    {children}
  </form>
);

type SendProps = {
  readonly isDisabled: boolean;
  readonly onSend: () => void;
  readonly children: ComponentChild;
};

/** The button that sends a form, once its fields are valid. No submit button: a browser presses one at Enter. */
export const SendButton = ({ isDisabled, onSend, children }: SendProps) => (
  <button
    type="button"
    class="main"
    disabled={isDisabled}
    onClick={({ currentTarget }) => currentTarget.form?.reportValidity() && onSend()}
  >
    {children}
  </button>
);

/** A long title is shown on several. */
const ONE_LINE = 'input:not([type=checkbox], [type=file]), textarea[data-one-line]';
const FIELDS = 'input, select, textarea, [contenteditable=true]';

const moveOn = (event: KeyboardEvent): void => {
  const { target, currentTarget } = event;
  if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return;
  // A key that is held down does not press the button to which it led.
  if (event.repeat && target instanceof HTMLButtonElement) event.preventDefault();
  if (!(target instanceof HTMLElement) || !target.matches(ONE_LINE)) return;
  event.preventDefault();
  // Fields of the editor's cards are their own.
  if (target.closest('.editor')) return;
  nextOf(currentTarget as HTMLFormElement, target)?.focus();
};

/** The field after it; after the last one, the button that sends the form. */
const nextOf = (form: HTMLFormElement, field: HTMLElement): HTMLElement | null => {
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)];
  const next = fields
    .slice(fields.indexOf(field) + 1)
    .find((one) => one.checkVisibility() && one.closest('[role=toolbar]') === null);
  return next ?? form.querySelector('button.main');
};
