// The view's address, in the fragment: `#/posts/{id}?status=draft`. Lists keep their search there, so that the
// browser's way back leads to the same list.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export type Route = {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Another number for another address, its query aside: the way to it is a new start, even where the path is as before. */
  readonly visit: number;
};

const read = (hash = location.hash): Omit<Route, 'visit'> => {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts, query: new URLSearchParams(query) };
};

/** What was made at an address for new records has one of its own since: `oldUrl` is where the page stood just now. */
const follow = ({ visit }: Route, oldUrl: string): Route => {
  const next = read();
  const isSame = read(new URL(oldUrl).hash).path.join('/') === next.path.join('/');
  return { ...next, visit: isSame ? visit : visit + 1 };
};

/** The way to another view leads on only when the present one may be left. Used once, around all views. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState<Route>(() => ({ ...read(), visit: 0 }));
  // Before the view can be used: an address that changed until then would go unseen.
  useLayoutEffect(() => {
    const change = ({ oldURL }: HashChangeEvent): void => {
      if (mayLeave()) setRoute((now) => follow(now, oldURL));
      else history.pushState(null, '', oldURL);
    };
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return route;
};

const LEAVING = 'desk-leaving';

/** Whether no view holds changes that somebody wants to keep. `words`: what is asked, where the view's own do not hold. */
export const mayLeave = (words?: string): boolean =>
  dispatchEvent(new CustomEvent(LEAVING, { cancelable: true, detail: words }));

/** While `isChanged`, asks before the view, or the page, is left. Returns a function that gives the changes up. */
export const useUnsaved = (isChanged: boolean, words = LOST): (() => void) => {
  /** A view that is left may be drawn once more. */
  const isGivenUp = useRef(false);
  const isKept = useRef(isChanged);
  isKept.current = isChanged && !isGivenUp.current;
  const question = useRef(words);
  question.current = words;
  useEffect(() => {
    const ask = (event: CustomEventInit<string | undefined> & Event): void => {
      // Another form of the view asked already, and the answer was no.
      if (event.defaultPrevented) return;
      if (isKept.current && !confirm(event.detail ?? question.current)) {
        event.preventDefault();
      }
    };
    const warn = (event: Event): void => {
      if (isKept.current) event.preventDefault();
    };
    addEventListener(LEAVING, ask);
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener(LEAVING, ask);
      removeEventListener('beforeunload', warn);
    };
  }, []);
  return () => {
    isGivenUp.current = true;
    isKept.current = false;
  };
};

export const LOST = 'Unsaved changes will be lost. Leave?';

export const go = (path: string): void => {
  location.hash = path;
};

/** Changes the query of the address; empty values are left out. */
export const setQuery = (changes: Readonly<Record<string, string>>): void => {
  const { path, query } = read();
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  location.replace(`#/${path.join('/')}${text === '' ? '' : `?${text}`}`);
};

/**
 * Gives what was made at `#/{root}/new` its address, without loading it again; not when somebody left the form, be it for
 * another new one.
 */
export const useNameNew = (root: string): ((id: string) => void) => {
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  return (id) => {
    const isHere = isShown.current && location.hash.startsWith(`#/${root}/new`);
    if (isHere) history.replaceState(null, '', `#/${root}/${id}`);
  };
};
