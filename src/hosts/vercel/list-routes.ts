// Routes of lists: one for each variant and its pages, with conditions on all parameters, since a route cannot keep what
// another one found. What no route is for is refused or passed on.

import type { Resource } from '../../paths/endpoints.ts';
import { JSON_TYPE, REFUSED_CACHE, SHARED_HEADERS } from '../../paths/headers.ts';
import type { HostSite } from '../host.ts';
import {
  HIGHER_PAGE,
  type ListChoice,
  listChoices,
  listQuestions,
  type Question,
} from '../list-rules.ts';
import { companionOf, OTHER_QUERY_FILE } from '../other-queries.ts';
import { EITHER } from '../spellings.ts';
import type { Condition, Route } from './route.ts';

export const listRoutes = (site: HostSite, prefix: string, resource: Resource): Route[] => {
  const asked = { queries: site.queries, resource };
  const src = `^${prefix}/content/${resource}/$`;
  const folder = `${site.basePath}/content/${resource}`;
  const questions = listQuestions(asked, EITHER);
  return [
    ...listChoices(asked).map((choice) => choiceRoute({ src, folder, questions }, choice)),
    ...(site.queries.otherQueries === 'ignore' ? [] : [otherRoute(site, src, resource)]),
  ];
};

const otherRoute = (site: HostSite, src: string, resource: Resource): Route => {
  const companion = companionOf(site);
  if (companion !== null)
    return { src, dest: `${companion.origin}${companion.content}/${resource}/` };
  return {
    src,
    dest: `${site.basePath}/content/${OTHER_QUERY_FILE}`,
    status: 400,
    headers: {
      ...Object.fromEntries(SHARED_HEADERS),
      'Content-Type': JSON_TYPE,
      'Cache-Control': REFUSED_CACHE,
    },
  };
};

type Place = {
  readonly src: string;
  readonly folder: string;
  readonly questions: readonly Question[];
};

const choiceRoute = ({ src, folder, questions }: Place, choice: ListChoice): Route => {
  const conditions = questions.map((question) => conditionOf(question, choice));
  const has = conditions.flatMap((one) => one.has ?? []);
  const missing = conditions.flatMap((one) => one.missing ?? []);
  return {
    src,
    ...(has.length > 0 && { has }),
    ...(missing.length > 0 && { missing }),
    dest: `${folder}/${choice.fileOf('$page')}.json`,
    check: true,
  };
};

type One = { readonly has?: Condition[]; readonly missing?: Condition[] };

/** That the answer to a question is the token that the choice has. What stands there twice is refused by the middleware. */
const conditionOf = ({ parameter, cases }: Question, { tokens, page }: ListChoice): One => {
  const patterns = cases.flatMap(({ fits, token }) =>
    typeof fits === 'string' ? [] : [{ token, value: fits.value }],
  );
  const wanted = patterns.find(({ token }) => isWanted(token, { tokens, page }));
  if (wanted !== undefined)
    return { has: [conditionOn(parameter, `^(?:${pageGroup(wanted.value, page)})$`)] };
  const isStrict = cases.some(({ fits }) => fits === 'given');
  const value = isStrict
    ? `^(?!(?:${acceptedOf(patterns)}))[\\s\\S]*$`
    : `^(?:${patterns.map((one) => one.value).join('|')})$`;
  return { missing: [conditionOn(parameter, value)] };
};

type Pattern = { readonly token: string; readonly value: string };

/** Values of which the first pattern that fits has no token. */
const acceptedOf = (patterns: readonly Pattern[]): string =>
  patterns
    .flatMap(({ token, value }, at) => {
      if (token !== '') return [];
      const before = patterns.slice(0, at).filter((other) => other.token !== '');
      return [`${before.map((other) => `(?!(?:${other.value})$)`).join('')}(?:${value})$`];
    })
    .join('|');

const isWanted = (token: string, { tokens, page }: Pick<ListChoice, 'tokens' | 'page'>): boolean =>
  tokens.includes(token) || (page !== null && token.startsWith('_p'));

/** Pages that are files, under the name by which the route puts them into its destination. */
const pageGroup = (value: string, page: string | null): string =>
  page === null ? value : value.replace(`(${HIGHER_PAGE})`, `(?<page>${page})`);

const conditionOn = (key: string, value: string): Condition => ({ type: 'query', key, value });
