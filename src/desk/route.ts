// The view's address, in the fragment: `#/posts/{id}?status=draft`. Lists keep their search there, so that the
// browser's way back leads to the same list.
import { useEffect, useState } from 'preact/hooks';

export type Route = { readonly path: readonly string[]; readonly query: URLSearchParams };

const read = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#/, '').split('?');
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts, query: new URLSearchParams(query) };
};

export const useRoute = (): Route => {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const follow = (): void => setRoute(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
};

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
