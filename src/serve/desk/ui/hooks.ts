// Loading and doing: what a view shows while it waits for the server, and when that fails.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api.ts';

export type Loaded<Value> = {
  readonly value: Value | null;
  readonly error: string | null;
  readonly reload: () => void;
};

/** Loads again when one of `inputs` changes, and every `everyMs` while the page is seen. The last value stays meanwhile. */
export const useLoaded = <Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[],
  everyMs?: number,
): Loaded<Value> => {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({ value: null, error: null });
  const [count, setCount] = useState(0);
  const newest = useRef(0);
  useEffect(() => {
    newest.current += 1;
    const own = newest.current;
    load().then(
      (value) => own === newest.current && setState({ value, error: null }),
      (error: unknown) =>
        own === newest.current && setState(({ value }) => ({ value, error: sentenceOf(error) })),
    );
  }, [...inputs, count]);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { ...state, reload };
};

export type Action = {
  /** Does it, unless something is being done already. `doing`: words for the time that it takes. */
  readonly run: (work: () => Promise<string | null>, doing?: string) => Promise<void>;
  /** Does it once everything that was asked for before is done. */
  readonly runNext: (work: () => Promise<string | null>, doing?: string) => Promise<void>;
  readonly isBusy: boolean;
  /** What is being done, where its words were given. */
  readonly doing: string | null;
  readonly error: string | null;
  /** What was done, as the work said. */
  readonly done: string | null;
};

export const useAction = (): Action => {
  const [state, setState] = useState<Omit<Action, 'run' | 'runNext'>>({
    isBusy: false,
    doing: null,
    error: null,
    done: null,
  });
  const isBusy = useRef(false);
  const run: Action['run'] = async (work, doing) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState({ isBusy: true, doing: doing ?? null, error: null, done: null });
    try {
      const done = await work();
      setState({ isBusy: false, doing: null, error: null, done });
    } catch (error) {
      setState({ isBusy: false, doing: null, error: sentenceOf(error), done: null });
    } finally {
      isBusy.current = false;
    }
  };
  const last = useRef(Promise.resolve());
  const runNext: Action['runNext'] = (work, doing) => {
    last.current = last.current.then(() => run(work, doing));
    return last.current;
  };
  return { ...state, run, runNext };
};

/** What is typed, once nobody has typed for a moment. */
export const useSettled = (text: string, settleMs = 250): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text, settleMs]);
  return settled;
};
