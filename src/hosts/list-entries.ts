// Which file the signature of a list's query names: that of a declared query or of a default list, by all tokens that mean
// the same. What has no entry is undeclared.
import { UNKNOWN_SEGMENT } from '../paths/declared-queries.ts';
import { RESOURCES, type Resource } from '../paths/endpoints.ts';
import type { HostQueries, HostSite } from './host.ts';
import { type Choice, listChoices } from './list-choices.ts';
import {
  type FilterText,
  FORMATS,
  findPattern,
  type Texts,
  tokenOfInclude,
  tokenOfLimit,
} from './list-questions.ts';
import { numbersTo } from './number-ranges.ts';
import { textPattern } from './spellings.ts';

export type Entry = {
  /** Regular expression of the whole signature; its groups are the page, and then the name of a slug. */
  readonly pattern: string;
  /** Below the folder of the resource, without `.json`. `{1}` is the first group. */
  readonly file: string;
  /** What is sent where there is no such file, since no tag or author has the slug. */
  readonly unknown: string | null;
};

/** The texts that files are kept for, of all resources. */
export const textsOf = (queries: HostQueries): Texts => {
  const choices = RESOURCES.flatMap((resource) => listChoices(resource, queries));
  const filters = new Map(choices.map(({ filter, pattern }) => [filter, slugsOf(pattern)]));
  return {
    limits: unique(choices.flatMap(({ limit }) => limit ?? [])),
    orders: unique(choices.flatMap(({ orders }) => orders)).filter(Boolean),
    filters: withoutInstances(
      [...filters].flatMap(([text, slugs]) => (text === null ? [] : [{ text, slugs }])),
    ),
    fields: unique(choices.flatMap(({ fields }) => fields)).sort(),
  };
};

const slugsOf = (pattern: Choice['pattern']): FilterText['slugs'] => {
  if (pattern === null) return null;
  return pattern === 'tag' ? 'tags' : 'authors';
};

/** A filter that a pattern is for is asked for with it. */
const withoutInstances = (filters: readonly FilterText[]): FilterText[] =>
  filters.filter(({ text, slugs }) => slugs !== null || findPattern({ filters }, text) === null);

type ListsSite = Pick<HostSite, 'names' | 'queries'>;

export const listEntries = (resource: Resource, site: ListsSite, texts: Texts): Entry[] =>
  listChoices(resource, site.queries).flatMap((choice) =>
    choice.name === null && site.queries.undeclared === 'ignore'
      ? looseEntries(choice, site, texts)
      : strictEntries(choice, site, texts),
  );

const strictEntries = (choice: Choice, site: ListsSite, texts: Texts): Entry[] => {
  const tokens = [
    choice.limit === null ? '' : tokenOfLimit(choice.limit),
    oneOf(choice.orders.map((text) => (text === '' ? '' : `_o${texts.orders.indexOf(text)}`))),
    oneOf(choice.formats.map((text) => FORMATS.find(([[one]]) => one === text)?.[1] ?? '')),
    texts.fields.map((field, at) => (choice.fields.includes(field) ? `_d${at}` : '')).join(''),
    filterToken(choice, site, texts),
  ].join('');
  const includes = choice.includes.map(tokenOfInclude).join('');
  const ofPage = (page: string): Entry => entryOf(choice, `^${includes}${page}${tokens}$`);
  const further = choice.pages === 'all' ? '[0-9]+' : numbersTo(choice.pages);
  return further === null ? [ofPage('')] : [ofPage(`_p(${further})`), ofPage('')];
};

/** As if the query had no other parameters. */
const looseEntries = (choice: Choice, site: ListsSite, texts: Texts): Entry[] => {
  const includes = choice.includes.map(tokenOfInclude).join('');
  const rest = `(?:_.*)?${filterToken(choice, site, texts)}`;
  const page = choice.pages === 1 ? [] : [entryOf(choice, `^${includes}_p([0-9]+)${rest}$`)];
  return [...page, entryOf(choice, `^${includes}${rest}$`)];
};

const entryOf = (choice: Choice, pattern: string): Entry => {
  const page = pattern.includes('_p(') ? '{1}' : null;
  return {
    pattern,
    file: choice.fileOf(page, page === null ? '{1}' : '{2}'),
    unknown: choice.pattern === null ? null : choice.fileOf(page, UNKNOWN_SEGMENT),
  };
};

const filterToken = ({ filter, pattern }: Choice, { names }: ListsSite, texts: Texts): string => {
  if (filter === null) return '';
  const at = texts.filters.findIndex(({ text }) => text === filter);
  if (at !== -1) return `_f${at}${pattern === null ? '' : '[.](.+)'}`;
  const found = findPattern(texts, filter);
  if (found === null) throw new Error(`Nobody asks for the filter ${filter}.`);
  const stored = names.find(
    (name) => name.resource === found.pattern.slugs && name.slug === found.slug,
  );
  const segment = textPattern(stored?.segment ?? found.slug);
  return `_f${texts.filters.indexOf(found.pattern)}[.]${segment}`;
};

const oneOf = (tokens: readonly string[]): string => {
  const [first = '', ...more] = tokens.filter((token) => token !== '');
  const isOptional = tokens.includes('');
  if (more.length === 0 && !isOptional) return first;
  return first === '' ? '' : `(?:${[first, ...more].join('|')})${isOptional ? '?' : ''}`;
};

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
