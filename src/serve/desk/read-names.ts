// The names of tags or authors, to choose from: all of them, page after page, up to a number that a choice can hold.
import type { Api } from './api.ts';
import type { Pagination } from './records.ts';

export type Named = { readonly id: string; readonly slug: string; readonly name: string };

const PAGE = 100;
const PAGES_MAX = 20;

export const readNames = async (api: Api, root: 'tags' | 'users'): Promise<readonly Named[]> => {
  const names: Named[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const query = { limit: PAGE, page, fields: 'id,slug,name', order: 'name asc' };
    const answer = await api.get<Answer>(`/${root}/`, query);
    names.push(...(answer[root] ?? []));
    if (answer.meta.pagination.next === null) break;
  }
  return names;
};

type Answer = { readonly [Root in 'tags' | 'users']?: readonly Named[] } & {
  readonly meta: { readonly pagination: Pagination };
};
