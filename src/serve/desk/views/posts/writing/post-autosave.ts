// Saves a draft some seconds after the last change, while its title is not being typed, or by Ctrl+S; and tells when the
// sitting ends, with its view or its page.
import { useEffect, useRef } from 'preact/hooks';

type Autosave = {
  /** What would be saved, as a text: another one begins the wait anew. Null: nothing, or it is no draft. */
  readonly pending: string | null;
  /** The last one failed: without a network, or for a reason that stays. */
  readonly hasFailed: boolean;
  readonly onAutosave: () => void;
  readonly onSave: () => void;
};

const IDLE_MS = 4000;
const RETRY_MS = 30_000;

export const useAutosave = ({ pending, hasFailed, onAutosave, onSave }: Autosave): void => {
  const latest = useRef({ pending, onAutosave, onSave });
  latest.current = { pending, onAutosave, onSave };
  useEffect(() => {
    if (pending === null) return undefined;
    let timer = 0;
    const wait = (): void => {
      timer = window.setTimeout(
        () => {
          // The address of a new post is made of its title.
          if (document.activeElement?.id === 'post-title') wait();
          else latest.current.onAutosave();
        },
        hasFailed ? RETRY_MS : IDLE_MS,
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [pending, hasFailed]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's')
        return;
      event.preventDefault();
      latest.current.onSave();
    };
    const save = (): void => {
      if (latest.current.pending !== null) latest.current.onAutosave();
    };
    addEventListener('keydown', press);
    addEventListener('online', save);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('online', save);
    };
  }, []);
};

const MINUTE_MS = 60_000;

type SittingEnds = { readonly onTick: () => void; readonly onEnd: () => void };

/** `onTick` is called each minute, `onEnd` when the view, or the page, is left. */
export const useSitting = (given: SittingEnds): void => {
  const latest = useRef(given);
  latest.current = given;
  useEffect(() => {
    const end = (): void => latest.current.onEnd();
    const timer = setInterval(() => latest.current.onTick(), MINUTE_MS);
    addEventListener('pagehide', end);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', end);
      end();
    };
  }, []);
};
