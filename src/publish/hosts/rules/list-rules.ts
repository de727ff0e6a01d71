// Asks about each parameter of the query of a list or record; the tokens of the answers, joined, are the query's signature,
// by which an entry names a file. The invariant: only where the executor would answer the query with that file.
import { combinationsOf } from '../../../content/paths/combinations.ts';
import { type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import { defaultOrders, orderFields } from '../../../content/queries/order.ts';
import type { HostQueries } from '../host.ts';
import { numbersFrom, numbersTo } from './number-ranges.ts';
import {
  BLANK,
  COMMA,
  DIGIT,
  filterOf,
  inAnyCase,
  listOf,
  listWith,
  NO_NUMBER,
  ORDER_TEXT,
  orderBy,
  orderOf,
  orderOrNone,
} from './spellings.ts';

export type Question = {
  /** Fit for names of variables; questions of one name are the same. */
  readonly name: string;
  readonly parameter: string;
  /** The first one that fits gives the token; where none does, the token is empty. */
  readonly cases: readonly Case[];
};

export type Case = {
  /**
   * `given`: the parameter has any value. `times`: it stands there so many times or more often, each time with a value of that
   * pattern, or any. Else a pattern of its value.
   */
  readonly fits:
    | 'given'
    | { readonly times: number; readonly each?: string }
    | { readonly value: string };
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
export const listQuestions = (asked: Asked): Question[] => {
  const { queries, resource } = asked;
  if (queries.otherQueries === 'ignore')
    return [
      ...includeQuestions(resource),
      ...(queries.listPages === 1 ? [] : [{ ...pageQuestion, cases: [higherPage, farPage] }]),
      ...(SHAPES[resource].filter === null ? [] : [filterQuestion(asked)]),
    ];
  return [
    ...includeQuestions(resource),
    { ...pageQuestion, cases: strict(FIRST_PAGE, [higherPage, none(FIRST_PAGE)]) },
    { name: 'limit', parameter: 'limit', cases: strict(limitPattern(queries.max)) },
    orderQuestion(resource),
    // Tags and authors have no formats.
    ...(resource === 'tags' || resource === 'authors'
      ? []
      : [{ name: 'formats', parameter: 'formats', cases: strict(listOf(['html']), FORMATS) }]),
    { name: 'fields', parameter: 'fields', cases: strict(listOf([])) },
    filterQuestion(asked),
  ];
};

/** One for each value. */
export const includeQuestions = (resource: Resource): Question[] =>
  SHAPES[resource].includes.map((include) => {
    const token = tokenOf(include);
    const cases = [{ fits: { value: listWith(include) }, token }];
    return { name: token.slice(1), parameter: 'include', cases };
  });

const tokenOf = (include: string): string => `-${include.replace('.', '-')}`;

const pageQuestion = { name: 'page', parameter: 'page' } as const;

const ZEROS = `(?:${DIGIT}0)*`;

const FIRST_PAGE = `${BLANK}${ZEROS}(?:${DIGIT}1)?${BLANK}`;

/** Nine digits; those of higher pages are no numbers of this interface. The first may be encoded. */
const HIGHER_PAGE = '[2-9]|[1-9][0-9]{1,8}';

const higherPage: Case = {
  fits: { value: `${BLANK}${ZEROS}${DIGIT}(${HIGHER_PAGE})${BLANK}` },
  token: '_p{1}',
};

/** Where all pages are answered by files, one that has none is not the first. */
const farPage: Case = {
  fits: { value: `${BLANK}${ZEROS}${DIGIT}[1-9](?:${DIGIT}[0-9])+${BLANK}` },
  token: '_p999999999',
};

/** Words and 0 mean the highest limit, as what passes it does. */
const limitPattern = (max: number): string =>
  `${BLANK}(?:(?:(?:${DIGIT}0)+|${ZEROS}${numbersFrom(max)})${BLANK}|${NO_NUMBER})?`;

/** Clauses without a direction, and of fields that the resource has not, count for nothing. */
const orderQuestion = (resource: Resource): Question => {
  const usual = defaultOrders(resource);
  return {
    name: `${resource}_order`,
    parameter: 'order',
    cases: strict(orderOrNone(usual), [
      none(orderOf(usual)),
      { fits: { value: orderBy(orderFields(resource)) }, token: REFUSED },
      none(ORDER_TEXT),
    ]),
  };
};

const none = (value: string): Case => ({ fits: { value }, token: '' });

const KNOWN_FORMATS = listOf(['html', 'lexical', 'mobiledoc']);

const HTML = `${BLANK}${inAnyCase('html')}${BLANK}`;

const FORMATS = [
  none(listOf([])),
  none(`(?:${KNOWN_FORMATS}${COMMA})?${HTML}(?:${COMMA}${KNOWN_FORMATS})?`),
];

/** The one filter that the interface documents; the last token of a signature. */
const filterQuestion = ({ queries, resource }: Asked): Question => {
  const { filter } = SHAPES[resource];
  if (filter === null) return { name: 'filter', parameter: 'filter', cases: strict(BLANK) };
  const value = filterOf(filter.value);
  const isStrict = queries.otherQueries !== 'ignore';
  const other = isStrict ? REFUSED : '';
  return {
    name: `${resource}_filter`,
    parameter: 'filter',
    cases: [
      { fits: { times: 3 }, token: other },
      { fits: { times: 2, each: BLANK }, token: '' },
      { fits: { times: 2, each: `(?:${value}|${BLANK})` }, token: PUBLIC },
      { fits: { times: 2 }, token: other },
      { fits: { value }, token: PUBLIC },
      ...(isStrict ? strict(BLANK).slice(-2) : []),
    ],
  };
};

const PUBLIC = '_f';
const REFUSED = '_x';

/** Whatever is no case is refused. A parameter may stand there twice, where it says nothing each time. */
const strict = (nothing: string, cases: readonly Case[] = [none(nothing)]): Case[] => [
  { fits: { times: 3 }, token: REFUSED },
  { fits: { times: 2, each: nothing }, token: '' },
  { fits: { times: 2 }, token: REFUSED },
  ...cases,
  { fits: 'given', token: REFUSED },
];

/** One variant of a default list: its first page, or the further ones that are files. */
type ListChoice = {
  /** Of each question that has one. */
  readonly tokens: readonly string[];
  /** Regular expression of the numbers of its pages; null: the first. */
  readonly page: string | null;
  /** Below the folder of the resource, without `.json`. */
  readonly fileOf: (page: string) => string;
};

const listChoices = ({ queries, resource }: Asked): ListChoice[] => {
  const { filter } = SHAPES[resource];
  const variants = new Map(
    combinationsOf(resource, 'list').map(({ variant, parameters }) => [variant, parameters]),
  );
  const pages = pagesPattern(queries);
  return [...variants].flatMap(([variant, parameters]) => {
    const byName = new Map(parameters);
    const asked = (byName.get('include') ?? '').split(',');
    const includes = SHAPES[resource].includes.filter((include) => asked.includes(include));
    const isPublic = filter !== null && byName.has('filter');
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
