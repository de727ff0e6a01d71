// What hosts whose rules read queries ask of the query of a list or record: one question for each parameter, or for each
// value of `include`. The tokens of the answers, joined, are the query's signature, by which an entry names the file. The
// invariant: a query has an entry only where the executor would answer it with that file (decisions, Queries).
import { combinationsOf } from '../paths/combinations.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import { defaultOrders, orderFields } from '../queries/order.ts';
import type { HostQueries } from './host.ts';
import { numbersFrom, numbersTo } from './number-ranges.ts';
import { inAnyCase, listOf, listWith, type Spelling, wordsOf } from './spellings.ts';

export type Question = {
  /** Fit for names of variables; questions of one name are the same. */
  readonly name: string;
  readonly parameter: string;
  /** The first one that fits gives the token; where none does, the token is empty. */
  readonly cases: readonly Case[];
};

export type Case = {
  /** `repeated`: the parameter stands there twice. `given`: it has any value. Else a pattern of its value. */
  readonly fits: 'repeated' | 'given' | { readonly value: string };
  /** `{1}` is the first group of the pattern. */
  readonly token: string;
};

export type Entry = {
  /** Regular expression of the whole signature; its group is the page. */
  readonly pattern: string;
  /** Below the folder of the address, without `.json`. `{1}` is the first group. */
  readonly file: string;
};

type Asked = { readonly queries: HostQueries; readonly resource: Resource };

/** All that has to be asked of a list, in the order of the signature. */
export const listQuestions = (asked: Asked, spelling: Spelling): Question[] => {
  const { queries, resource } = asked;
  const filter = filterQuestion(asked, spelling);
  if (queries.otherQueries === 'ignore')
    return [
      ...includeQuestions(asked, spelling),
      ...(queries.listPages === 1 ? [] : [{ ...pageQuestion, cases: [higherPage(spelling)] }]),
      ...(SHAPES[resource].filter === null ? [] : [filter]),
    ];
  return [
    ...includeQuestions(asked, spelling),
    {
      ...pageQuestion,
      cases: strict([
        higherPage(spelling),
        none(`${spelling.blank}(?:(?:0+1?|1)${spelling.blank})?`),
      ]),
    },
    limitQuestion(spelling, queries.max),
    orderQuestion(spelling, resource),
    // Tags and authors have no formats.
    ...(resource === 'tags' || resource === 'authors' ? [] : [formatsQuestion(spelling)]),
    { name: 'fields', parameter: 'fields', cases: strict([none(listOf(spelling, []))]) },
    filter,
  ];
};

/** One for each value, and whether any is written so that it may mean another. */
export const includeQuestions = ({ queries, resource }: Asked, spelling: Spelling): Question[] => {
  const ask = (name: string, value: string, token: string): Question => ({
    name,
    parameter: 'include',
    cases: [{ fits: { value }, token }],
  });
  const known = SHAPES[resource].includes.map((include) => {
    const token = tokenOf(include);
    return ask(token.slice(1), listWith(spelling, include), token);
  });
  return queries.otherQueries === 'ignore' ? known : [...known, ask('odd', spelling.odd, REFUSED)];
};

const tokenOf = (include: string): string => `-${include.replace('.', '-')}`;

const pageQuestion = { name: 'page', parameter: 'page' } as const;

/** Nine digits; those of higher pages are no numbers of this interface. */
export const HIGHER_PAGE = '[2-9]|[1-9][0-9]{1,8}';

const higherPage = ({ blank }: Spelling): Case => ({
  fits: { value: `${blank}0*(${HIGHER_PAGE})${blank}` },
  token: '_p{1}',
});

/** Words and 0 mean the highest limit, as what passes it does. */
const limitQuestion = ({ blank, any }: Spelling, max: number): Question => ({
  name: 'limit',
  parameter: 'limit',
  cases: strict([none(`${blank}(?:(?:[A-Za-z_]${any}|0+|0*${numbersFrom(max)})${blank})?`)]),
});

/** Clauses without a direction, and of fields that the resource has not, count for nothing. */
const orderQuestion = (spelling: Spelling, resource: Resource): Question => {
  const { sign, any, blank } = spelling;
  const usual = defaultOrders(resource).map((text) => wordsOf(spelling, text));
  const fields = orderFields(resource).map(inAnyCase).join('|');
  const directions = ['asc', 'desc'].map(inAnyCase).join('|');
  return {
    name: `${resource}_order`,
    parameter: 'order',
    cases: strict([
      none(`(?:${usual.join('|')})`),
      {
        fits: {
          value: `(?:${any}(?:,|%2[cC]|${sign(' ')}))?(?:${fields})${sign(' ')}+(?:${directions})${any}`,
        },
        token: REFUSED,
      },
      none(`(?:[A-Za-z0-9_.]|,|%2[cC]|${sign(' ')})*${blank}`),
    ]),
  };
};

const formatsQuestion = (spelling: Spelling): Question => {
  const { blank } = spelling;
  const known = ['html', 'lexical', 'mobiledoc'];
  const others = `(?:${listOf(spelling, known)}(?:,|%2[cC]))?`;
  const after = `(?:(?:,|%2[cC])${listOf(spelling, known)})?`;
  return {
    name: 'formats',
    parameter: 'formats',
    cases: strict([
      none(listOf(spelling, [])),
      none(`${others}${blank}${inAnyCase('html')}${blank}${after}`),
    ]),
  };
};

/** The one filter that the interface documents; the last token of a signature. */
const filterQuestion = ({ queries, resource }: Asked, { sign, blank }: Spelling): Question => {
  const { filter } = SHAPES[resource];
  const parts = filter?.value.split(/(?<=:)/) ?? [];
  const value = parts.map((part) => `${[...part].map(sign).join('')}${blank}`).join('');
  const known: Case[] =
    filter === null ? [] : [{ fits: { value: `${blank}${value}` }, token: PUBLIC }];
  return {
    name: filter === null ? 'filter' : `${resource}_filter`,
    parameter: 'filter',
    cases:
      queries.otherQueries === 'ignore'
        ? [{ fits: 'repeated', token: '' }, ...known]
        : strict([...known, none(blank)]),
  };
};

const PUBLIC = '_f';
const REFUSED = '_x';

const none = (value: string): Case => ({ fits: { value }, token: '' });

/** Whatever is no case, or stands there twice, is refused. */
const strict = (cases: readonly Case[]): Case[] => [
  { fits: 'repeated', token: REFUSED },
  ...cases,
  { fits: 'given', token: REFUSED },
];

/** One variant of a default list: its first page, or the further ones that are files. */
export type ListChoice = {
  /** Of each question that has one. */
  readonly tokens: readonly string[];
  /** Regular expression of the numbers of its pages; null: the first. */
  readonly page: string | null;
  /** Below the folder of the resource, without `.json`. */
  readonly fileOf: (page: string) => string;
};

export const listChoices = ({ queries, resource }: Asked): ListChoice[] => {
  const { filter } = SHAPES[resource];
  const variants = new Map(
    combinationsOf(resource, 'list').map(({ variant, parameters }) => [variant, parameters]),
  );
  const pages = pagesPattern(queries);
  return [...variants].flatMap(([variant, parameters]) => {
    const given = new Map(parameters);
    const asked = (given.get('include') ?? '').split(',');
    const includes = SHAPES[resource].includes.filter((include) => asked.includes(include));
    const isPublic = filter !== null && given.has('filter');
    const tokens = [...includes.map(tokenOf), ...(isPublic ? [PUBLIC] : [])];
    const ending = variant === 'index' ? '' : `-${variant}`;
    return [
      ...(pages === null
        ? []
        : [{ tokens, page: pages, fileOf: (page: string) => `page-${page}${ending}` }]),
      { tokens, page: null, fileOf: () => variant },
    ];
  });
};

const pagesPattern = ({ listPages, otherQueries }: HostQueries): string | null => {
  if (listPages === 'all' || (otherQueries === 'ignore' && listPages > 1)) return HIGHER_PAGE;
  return numbersTo(listPages);
};

export const listEntries = (asked: Asked): Entry[] =>
  listChoices(asked).map(({ tokens, page, fileOf }) => {
    const isPublic = tokens.includes(PUBLIC);
    const includes = tokens.filter((token) => token !== PUBLIC).join('');
    const pageToken = page === null ? '' : `_p(${page})`;
    return { pattern: `^${includes}${pageToken}${isPublic ? PUBLIC : ''}$`, file: fileOf('{1}') };
  });
