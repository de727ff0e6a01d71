// Asks once, with what will be the case, before something that readers notice. The focus begins at the heading, so that
// one key or click too many answers nothing; it returns to where it was.
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
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    heading.current?.focus();
  }, []);
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
      <h2 id={id} ref={heading} tabIndex={-1}>
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
