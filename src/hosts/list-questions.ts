// What hosts that run no code ask of the query of a list: one question for each parameter, or for each value of a
// parameter that is a list. The tokens of the answers, joined, are the query's signature, by which list-entries.ts
// finds its file. A value that is not known has a token that no file is found by.
import { isPatternSlug, SLUG_PATTERN } from '../paths/declared-queries.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import { filterParts, isSlugPart } from './filter-spellings.ts';
import type { HostQueries, HostSite } from './host.ts';
import { numbersFrom } from './number-ranges.ts';
import { listOf, listWith, type Spelling, wordsOf } from './spellings.ts';

export type Question = {
  /** Fit for names of variables. */
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

/** What is asked of all lists; `texts` are the values that files are kept for. */
export type Texts = {
  readonly limits: readonly number[];
  readonly orders: readonly string[];
  readonly filters: readonly FilterText[];
  readonly fields: readonly string[];
};

export type FilterText = {
  readonly text: string;
  /** Whose slugs are `{slug}`; null: there is none. */
  readonly slugs: 'tags' | 'authors' | null;
};

/** The pattern that a text is one of, with its slug: it is asked for with the others. Null: none. */
export const findPattern = (
  { filters }: Pick<Texts, 'filters'>,
  asked: string,
): { readonly pattern: FilterText; readonly slug: string } | null => {
  for (const pattern of filters) {
    const [before = '', after] = pattern.text.split(SLUG_PATTERN);
    if (after === undefined || !asked.startsWith(before) || !asked.endsWith(after)) continue;
    const slug = asked.slice(before.length, asked.length - after.length);
    if (PLAIN.test(slug) && isPatternSlug(slug)) return { pattern, slug };
  }
  return null;
};

/** All that has to be asked of a list, in the order of the signature. */
export const listQuestions = (
  site: Names & Asked,
  spelling: Spelling,
  texts: Texts,
): Question[] => {
  const { queries, resource } = site;
  const includes = includeQuestions(site, spelling);
  const isStrict = queries.undeclared !== 'ignore';
  const page = pageQuestion(spelling, { isStrict });
  const filter = filterQuestion(spelling, texts, site);
  if (isStrict || queries.declared.length > 0)
    return [
      ...includes,
      page,
      limitQuestion(spelling, texts, queries.max),
      orderQuestion(spelling, texts),
      formatsQuestion(spelling),
      ...fieldQuestions(spelling, texts),
      filter,
    ];
  return [
    ...includes,
    ...(queries.listPages === 1 ? [] : [page]),
    ...(SHAPES[resource].filter === null ? [] : [filter]),
  ];
};

type Asked = { readonly queries: HostQueries; readonly resource: Resource };

/** One for each value, and whether any is written so that it may mean another. */
export const includeQuestions = ({ queries, resource }: Asked, spelling: Spelling): Question[] => {
  const ask = (name: string, value: string, token: string): Question => ({
    name,
    parameter: 'include',
    cases: [{ fits: { value }, token }],
  });
  const known = SHAPES[resource].includes.map((include) => {
    const token = tokenOfInclude(include);
    return ask(token.slice(1), listWith(spelling, include), token);
  });
  return queries.undeclared === 'ignore' ? known : [...known, ask('odd', spelling.odd, REFUSED)];
};

export const tokenOfInclude = (include: string): string => `-${include.replace('.', '-')}`;

/** Nine digits; those of higher pages are no numbers of this interface. */
const PAGE = '([2-9]|[1-9][0-9]{1,8})';

const pageQuestion = ({ blank }: Spelling, { isStrict }: { isStrict: boolean }): Question => {
  const higher: Case = { fits: { value: `${blank}0*${PAGE}${blank}` }, token: '_p{1}' };
  const cases = strict([higher, none(`${blank}(?:(?:0+1?|1)${blank})?`)]);
  return { name: 'page', parameter: 'page', cases: isStrict ? cases : [higher] };
};

/** Words and 0 mean the highest limit, as what passes it does. */
const limitQuestion = ({ blank, any }: Spelling, texts: Texts, max: number): Question => ({
  name: 'limit',
  parameter: 'limit',
  cases: strict([
    ...texts.limits.map(
      (limit): Case => ({
        fits: { value: `${blank}0*${limit}${blank}` },
        token: tokenOfLimit(limit),
      }),
    ),
    none(`${blank}(?:(?:[A-Za-z_]${any}|0+|0*${numbersFrom(max)})${blank})?`),
  ]),
});

export const tokenOfLimit = (limit: number): string => `_l${limit}`;

const orderQuestion = (spelling: Spelling, { orders }: Texts): Question => ({
  name: 'order',
  parameter: 'order',
  cases: strict([
    ...orders.map(
      (text, at): Case => ({ fits: { value: wordsOf(spelling, text) }, token: `_o${at}` }),
    ),
    none(spelling.blank),
  ]),
});

/** Texts of `formats` that mean the same, and their token; the last ones ask for none that there is. */
export const FORMATS: readonly (readonly [texts: readonly string[], token: string])[] = [
  [['html'], '_mh'],
  [['plaintext'], '_mp'],
  [['html,plaintext', 'plaintext,html'], '_mb'],
  [['lexical', 'mobiledoc'], '_mn'],
];

const formatsQuestion = (spelling: Spelling): Question => ({
  name: 'formats',
  parameter: 'formats',
  cases: strict([
    ...FORMATS.map(
      ([texts, token]): Case => ({
        fits: { value: `(?:${texts.map((text) => wordsOf(spelling, text)).join('|')})` },
        token,
      }),
    ),
    none(spelling.blank),
  ]),
});

/** One for each field, and whether there is any other. */
const fieldQuestions = (spelling: Spelling, { fields }: Texts): Question[] => [
  ...fields.map(
    (field, at): Question => ({
      name: `field_${at}`,
      parameter: 'fields',
      cases: [{ fits: { value: listWith(spelling, field) }, token: `_d${at}` }],
    }),
  ),
  { name: 'fields', parameter: 'fields', cases: strict([none(listOf(spelling, fields))]) },
];

/** The last token of a signature: what stands for a slug has no end of its own. */
const filterQuestion = (spelling: Spelling, { filters }: Texts, names: Names): Question => ({
  name: 'filter',
  parameter: 'filter',
  cases: strict([
    ...filters.flatMap((filter, at) => filterCases(spelling, { filter, token: `_f${at}` }, names)),
    none(spelling.blank),
  ]),
});

/** Signs that stand for themselves in slugs and in names of files. */
const PLAIN = /^([A-Za-z0-9_][A-Za-z0-9._-]*)$/;
export const PLAIN_PATTERN = PLAIN.source.slice(1, -1);
/** Words that mean something else (paths/declared-queries.ts). */
export const OTHER_WORD = '(?:null|NULL|Null|now(?:%2[bB]|-)[0-9]+[smhdwMy])';
/** A name of a file in the languages of all hosts. */
export const WRITABLE = /^[A-Za-z0-9._~\u0080-\uffff-]+$/;

type Names = Pick<HostSite, 'names' | 'segments'>;
type Token = { readonly filter: FilterText; readonly token: string };

const filterCases = (
  spelling: Spelling,
  { filter: { text, slugs }, token }: Token,
  names: Names,
): Case[] => {
  const fits = (slug: string): Case['fits'] => ({ value: filterPattern(spelling, text, slug) });
  if (slugs === null) return [{ fits: fits(''), token }];
  return [
    ...oddSlugs(names, slugs).map(({ slug, segment }) => ({
      fits: fits(spelling.slug(slug)),
      token: WRITABLE.test(segment) ? `${token}.${segment}` : REFUSED,
    })),
    { fits: fits(OTHER_WORD), token: REFUSED },
    // Any other slug is refused: it may be of a tag or author that is newer than these rules.
    { fits: fits(PLAIN_PATTERN), token: `${token}.{1}` },
  ];
};

/** Slugs that a pattern of plain signs does not find the file of. */
export const oddSlugs = (
  { names, segments }: Names,
  resource: 'tags' | 'authors',
): { readonly slug: string; readonly segment: string }[] => {
  const stored = names.filter((name) => name.resource === resource);
  const taken = new Set(stored.map(({ segment }) => segment));
  const others = segments(resource).filter(
    ({ segment }) => !PLAIN.test(segment) && !taken.has(segment),
  );
  return [...stored, ...others.map(({ segment }) => ({ slug: segment, segment }))].filter(
    ({ slug }) => isPatternSlug(slug),
  );
};

/** The value of a filter; `slug` is what may stand for `{slug}`. */
export const filterPattern = ({ sign, blank }: Spelling, text: string, slug: string): string => {
  const parts = filterParts(text) ?? [text];
  const patterns = parts.map((part) => (isSlugPart(part) ? slug : [...part].map(sign).join('')));
  return `${blank}${patterns.map((pattern) => `${pattern}${blank}`).join('')}`;
};

const REFUSED = '_x';

const none = (value: string): Case => ({ fits: { value }, token: '' });

/** Whatever is no case, or stands there twice, is refused. */
const strict = (cases: readonly Case[]): Case[] => [
  { fits: 'repeated', token: REFUSED },
  ...cases,
  { fits: 'given', token: REFUSED },
];
