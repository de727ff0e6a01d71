// Asks once, with what will be the case, before something that readers notice. The heading can have the focus, so that a
// browser begins there and one key or click too many answers nothing; the focus returns to where it was.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

type Props = {
  readonly title: string;
  /** Names with what they are. */
  readonly facts: readonly (readonly [string, string])[];
  /** What the button says that does it. */
  readonly yes: string;
  readonly opener: Element | null;
  readonly onYes: () => void;
  readonly onClose: () => void;
};

export const Question = ({ title, facts, yes, opener, onYes, onClose }: Props) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const leave = (): void => {
    onClose();
    if (opener instanceof HTMLElement) opener.focus();
  };
  const agree = ({ detail }: MouseEvent): void => {
    // The second click of two that opened it.
    if (detail > 1) return;
    dialog.current?.close();
    onYes();
  };
  return (
    <dialog ref={dialog} class="question" aria-labelledby={id} onClose={leave}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      <dl>
        {facts.map(([name, words]) => (
          <>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <p class="buttons">
        <button type="button" class="main" onClick={agree}>
          {yes}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  );
};
