// The field that searches a list: what is typed goes into the address once nobody has typed for a moment, and what the
// address says goes into the field.
import { useEffect, useState } from 'preact/hooks';
import { setQuery } from '../route.ts';
import { useSettled } from './hooks.ts';

type Search = {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly search: string;
};

export const useSearch = (query: URLSearchParams): Search => {
  const asked = query.get('search') ?? '';
  const [text, setText] = useState(asked);
  const search = useSettled(text.trim());
  useEffect(() => {
    if (search !== asked) setQuery({ search, page: '' });
  }, [search]);
  useEffect(() => {
    if (search !== asked) setText(asked);
  }, [asked]);
  return { text, setText, search };
};
