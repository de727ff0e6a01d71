// Routes of lists: one for each query that has files, with conditions on all parameters, since a route cannot keep what
// another one found. What no route is for is refused or passed on.

import type { Resource } from '../../paths/endpoints.ts';
import { JSON_TYPE, REFUSED_CACHE, SHARED_HEADERS } from '../../paths/headers.ts';
import type { HostSite } from '../host.ts';
import { type Choice, listChoices } from '../list-choices.ts';
import { textsOf } from '../list-entries.ts';
import {
  FORMATS,
  filterPattern,
  listQuestions,
  OTHER_WORD,
  oddSlugs,
  PLAIN_PATTERN,
  type Question,
  tokenOfInclude,
  tokenOfLimit,
  WRITABLE,
} from '../list-questions.ts';
import { numbersTo } from '../number-ranges.ts';
import { EITHER } from '../spellings.ts';
import { companionOf, UNDECLARED_FILE } from '../undeclared.ts';
import type { Condition, Route } from './route.ts';

/** Of declared queries, and of default lists where others are refused. */
export const listRoutes = (site: HostSite, prefix: string, resource: Resource): Route[] => {
  const isStrict = site.queries.undeclared !== 'ignore';
  const texts = textsOf(site.queries);
  const place: Place = {
    site,
    src: `^${prefix}/content/${resource}/$`,
    questions: listQuestions({ ...site, resource }, EITHER, texts),
    orders: texts.orders,
    fields: texts.fields,
  };
  return [
    ...listChoices(resource, site.queries)
      .filter(({ name }) => isStrict || name !== null)
      .flatMap((choice) => choiceRoutes(place, choice)),
    ...(isStrict ? [undeclaredRoute(site, place.src, resource)] : []),
  ];
};

type Place = {
  readonly site: HostSite;
  readonly src: string;
  readonly questions: readonly Question[];
  readonly orders: readonly string[];
  readonly fields: readonly string[];
};

type Conditions = { readonly has: readonly Condition[]; readonly missing: readonly Condition[] };

const undeclaredRoute = (site: HostSite, src: string, resource: Resource): Route => {
  const companion = companionOf(site);
  if (companion !== null)
    return { src, dest: `${companion.origin}${companion.content}/${resource}/` };
  return {
    src,
    dest: `${site.basePath}/content/${UNDECLARED_FILE}`,
    status: 400,
    headers: {
      ...Object.fromEntries(SHARED_HEADERS),
      'Content-Type': JSON_TYPE,
      'Cache-Control': REFUSED_CACHE,
    },
  };
};

const choiceRoutes = (place: Place, choice: Choice): Route[] => {
  const shared = [...listConditions(place, choice), ...valueConditions(place, choice)];
  const folder = `${place.site.basePath}/content/${choice.resource}`;
  return filterConditions(place.site, choice).flatMap(({ filter, segment }) =>
    pageConditions(choice).map(({ page, condition }) => {
      const all = [...shared, filter, condition];
      const conditions: Conditions = {
        has: all.flatMap(({ has }) => has ?? []),
        missing: all.flatMap(({ missing }) => missing ?? []),
      };
      return {
        src: place.src,
        ...(conditions.has.length > 0 && { has: conditions.has }),
        ...(conditions.missing.length > 0 && { missing: conditions.missing }),
        dest: `${folder}/${choice.fileOf(page, segment)}.json`,
        check: true,
      };
    }),
  );
};

type One = { readonly has?: Condition; readonly missing?: Condition };

const given = (key: string, value: string): One => ({
  has: { type: 'query', key, value: `^(?:${value})$` },
});

/** The parameter is absent, or has such a value. */
const absentOr = (key: string, value: string): One => ({
  missing: { type: 'query', key, value: `^(?!(?:${value})$)[\\s\\S]*$` },
});

const notGiven = (key: string, value: string): One => ({
  missing: { type: 'query', key, value: `^(?:${value})$` },
});

/** Of include and fields: each value that the query has, and none that it has not. */
const listConditions = ({ questions, fields }: Place, choice: Choice): One[] =>
  questions.flatMap(({ name, parameter, cases: [first] }) => {
    if (first === undefined || typeof first.fits === 'string') return [];
    const at = fields.findIndex((_, index) => name === `field_${index}`);
    const isWanted =
      parameter === 'include'
        ? choice.includes.some((include) => tokenOfInclude(include) === `-${name}`)
        : choice.fields.includes(fields[at] ?? '');
    if (parameter !== 'include' && at === -1) return [];
    const { value } = first.fits;
    return [isWanted ? given(parameter, value) : notGiven(parameter, value)];
  });

/** Of what has one value, and of unknown fields. */
const valueConditions = ({ questions, orders }: Place, choice: Choice): One[] => {
  const tokens: Readonly<Record<string, readonly string[]>> = {
    limit: [choice.limit === null ? '' : tokenOfLimit(choice.limit)],
    order: choice.orders.map((text) => (text === '' ? '' : `_o${orders.indexOf(text)}`)),
    formats: choice.formats.map((text) => FORMATS.find(([[one]]) => one === text)?.[1] ?? ''),
    fields: [''],
  };
  return questions.flatMap(({ name, parameter, cases }) => {
    const accepted = tokens[name];
    if (accepted === undefined) return [];
    const values = cases.flatMap(({ fits, token }) =>
      typeof fits === 'string' || !accepted.includes(token) ? [] : [fits.value],
    );
    const value = values.join('|');
    return [accepted.includes('') ? absentOr(parameter, value) : given(parameter, value)];
  });
};

/** A slug that stands under another name has a route of its own. */
const filterConditions = (
  site: HostSite,
  { filter, pattern }: Choice,
): { readonly filter: One; readonly segment: string }[] => {
  if (filter === null) return [{ filter: absentOr('filter', EITHER.blank), segment: '' }];
  const valueWith = (slug: string): string => filterPattern(EITHER, filter, slug);
  if (pattern === null) return [{ filter: given('filter', valueWith('')), segment: '' }];
  const odd = oddSlugs(site, pattern === 'tag' ? 'tags' : 'authors');
  const others = [OTHER_WORD, ...odd.map(({ slug }) => EITHER.slug(slug))].join('|');
  const plain = PLAIN_PATTERN.replace('(', '(?<slug>');
  return [
    ...odd
      .filter(({ segment }) => WRITABLE.test(segment))
      .map(({ slug, segment }) => ({
        filter: given('filter', valueWith(EITHER.slug(slug))),
        segment: encodeURIComponent(segment),
      })),
    {
      filter: given('filter', `(?!(?:${valueWith(`(?:${others})`)})$)${valueWith(plain)}`),
      segment: '$slug',
    },
  ];
};

const pageConditions = ({ pages }: Choice): { page: string | null; condition: One }[] => {
  const { blank } = EITHER;
  const first = { page: null, condition: absentOr('page', `${blank}(?:(?:0+1?|1)${blank})?`) };
  const further = pages === 'all' ? '[2-9]|[1-9][0-9]{1,8}' : numbersTo(pages);
  if (further === null) return [first];
  return [
    first,
    { page: '$page', condition: given('page', `${blank}0*(?<page>${further})${blank}`) },
  ];
};
