// Random queries over an odd publication: a value for the oracle, and the text that a client would send for it.
import {
  chance,
  ODD_NOW,
  ODD_TIMES,
  type OddPublication,
  type OddRecord,
  type OddTerm,
  pick,
  type Random,
} from './odd-records.ts';
import type { Clause, OracleQuery, OracleResource, Sought } from './query-oracle.ts';

export type MadeQuery = { readonly query: OracleQuery; readonly raw: string };

type Maker = {
  readonly random: Random;
  readonly publication: OddPublication;
  readonly resource: OracleResource;
};

/** `max` is the setting lists.max. */
export const makeQuery = (maker: Maker, max: number): MadeQuery => {
  const { random, resource } = maker;
  const isTerms = resource === 'tags' || resource === 'authors';
  const filter = chance(random, 0.7) ? makeFilter(maker) : null;
  const includes = makeIncludes(random, isTerms);
  const fields = chance(random, 0.4) ? makeFields(random, isTerms) : null;
  const formats = !isTerms && chance(random, 0.3) ? pick(random, FORMATS) : null;
  const limit = makeLimit(random, max);
  const page = pick(random, [1, 1, 1, 2, 3, 7, 1_000_000_000]);
  const order = chance(random, 0.5) ? makeOrder(random, isTerms, includes) : null;
  const pairs = [
    ...(filter === null ? [] : [['filter', filter.text]]),
    ...(includes.length === 0 ? [] : [['include', spellIncludes(random, includes)]]),
    ...(fields === null ? [] : [['fields', fields.join(pick(random, [',', ' , ', ',,']))]]),
    ...(formats === null ? [] : [['formats', formats.join(',')]]),
    ...(limit.text === null ? [] : [['limit', limit.text]]),
    ...(page === 1 && chance(random, 0.7) ? [] : [['page', page === 1 ? '0' : String(page)]]),
    ...(order === null ? [] : [['order', order.text]]),
    ...(chance(random, 0.2) ? [['unknown', 'x,y']] : []),
  ];
  const raw = pairs
    .sort(() => random() - 0.5)
    .map(([name = '', value = '']) => `${name}=${encode(random, value)}`)
    .join('&');
  const sent = formats?.filter((format) => format !== 'lexical') ?? null;
  return {
    query: {
      filter: filter?.clause ?? null,
      includes,
      fields,
      formats: sent,
      limit: limit.value,
      page,
      order: order?.known ?? [],
    },
    raw,
  };
};

const FORMATS = [
  ['html'],
  ['plaintext'],
  ['html', 'plaintext'],
  ['plaintext', 'lexical'],
  ['lexical'],
];

const encode = (random: Random, text: string): string =>
  chance(random, 0.5)
    ? encodeURIComponent(text)
    : encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2C', ',').replaceAll('%3A', ':');

const subset = <T>(random: Random, items: readonly T[]): T[] =>
  items.filter(() => chance(random, 0.5));

const makeIncludes = (random: Random, isTerms: boolean): string[] =>
  subset(random, isTerms ? ['count.posts'] : ['authors', 'tags']);

const spellIncludes = (random: Random, includes: readonly string[]): string => {
  const all = chance(random, 0.3) ? [...includes, 'tiers', includes[0] ?? ''] : [...includes];
  return (chance(random, 0.5) ? all.reverse() : all)
    .map((one) => (chance(random, 0.3) ? ` ${one.toUpperCase()}` : one))
    .join(',');
};

const makeFields = (random: Random, isTerms: boolean): string[] => {
  const names = isTerms
    ? ['id', 'slug', 'name', 'description', 'visibility', 'url', 'count', 'bio', 'nothing']
    : ['id', 'slug', 'title', 'html', 'plaintext', 'url', 'nested', 'primary_tag'].concat([
        'primary_author',
        'tags',
        'excerpt',
        'featured',
        'email_subject',
        'nothing',
      ]);
  const chosen = subset(random, subset(random, names));
  return chosen.length === 0 ? ['nothing'] : chosen;
};

const makeLimit = (random: Random, max: number): { text: string | null; value: number } => {
  const text = pick(random, [null, 'all', '0', 'word', '1', '2', '3', '5', '15', '007', '99999']);
  const number = /^\d+$/.test(text ?? '') ? Number(text) : 0;
  return { text, value: number === 0 ? max : Math.min(number, max) };
};

const makeOrder = (random: Random, isTerms: boolean, includes: readonly string[]) => {
  const count = includes.includes('count.posts') ? ['count.posts'] : [];
  const fields = isTerms
    ? ['name', 'slug', 'id', ...count]
    : ['published_at', 'updated_at', 'created_at', 'featured', 'title', 'slug', 'id'];
  const known: { field: string; isDown: boolean }[] = [];
  const clauses: string[] = [];
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const field = pick(random, fields);
    if (known.some((one) => one.field === field)) continue;
    const isDown = chance(random, 0.5);
    known.push({ field, isDown });
    const direction = isDown ? 'desc' : 'asc';
    clauses.push(
      chance(random, 0.3)
        ? ` ${field.toUpperCase()}  ${direction.toUpperCase()} `
        : `${field} ${direction}`,
    );
    // What is in no list of fields, or has no direction, counts for nothing.
    if (chance(random, 0.2))
      clauses.push(pick(random, ['html asc', 'title', 'x', '', 'a b c', 'email desc']));
  }
  return { known, text: clauses.join(',') };
};

/** The longest filter that is read. */
const FILTER_MAX = 2_000;

const makeFilter = (maker: Maker): { readonly clause: Clause; readonly text: string } => {
  for (;;) {
    const clause = chance(maker.random, 0.08) ? makeListing(maker) : makeClause(maker, 0);
    const text = spell(maker.random, clause, 0);
    if (text.length <= FILTER_MAX) return { clause, text };
  }
};

/** Slugs that records are listed by. */
const makeListing = (maker: Maker): Clause => {
  const { random, publication, resource } = maker;
  const items: readonly { readonly document: Readonly<Record<string, unknown>> }[] =
    publication[resource];
  const most = chance(random, 0.3) ? 60 : 6;
  const values = Array.from({ length: 2 + Math.floor(random() * most) }, () =>
    items.length === 0 ? 'none' : String(pick(random, items).document.slug),
  );
  const listing: Clause = { kind: 'among', field: 'slug', isNot: false, values };
  if (chance(random, 0.6)) return listing;
  return { kind: 'all', parts: [makeClause(maker, 2), listing] };
};

const DEPTH_MAX = 3;

const makeClause = (maker: Maker, depth: number): Clause => {
  const { random } = maker;
  if (depth < DEPTH_MAX && chance(random, depth === 0 ? 0.55 : 0.3)) {
    const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, () =>
      makeClause(maker, depth + 1),
    );
    return { kind: pick(random, ['all', 'all', 'any']), parts };
  }
  const isTerms = maker.resource === 'tags' || maker.resource === 'authors';
  return isTerms ? makeTermClause(maker) : makeRecordClause(maker);
};

type Operator = Extract<Clause, { readonly kind: 'is' }>['operator'];
const OPERATORS: readonly Operator[] = ['=', '!=', '>', '>=', '<', '<='];
const EQUALITIES: readonly Operator[] = ['=', '=', '!='];

type Field = {
  readonly name: string;
  readonly values: () => Sought;
  readonly operators?: readonly Operator[];
  /** Parts of these are looked for; absent: it cannot be searched. */
  readonly searched?: boolean;
  /** Lists, such as of a relation. */
  readonly hasLists?: boolean;
};

const makeField = ({ random }: Maker, field: Field): Clause => {
  const { name, values } = field;
  const hasLists = field.hasLists ?? true;
  const several = (): Sought[] => {
    return Array.from({ length: 1 + Math.floor(random() * 4) }, values);
  };
  const kind = random();
  if (field.searched && kind < 0.3) {
    const characters = [...String(values())];
    const from = Math.floor(random() * characters.length);
    const part = characters.slice(from, from + 1 + Math.floor(random() * 3)).join('');
    const cased = chance(random, 0.5) ? part.toUpperCase() : part;
    return {
      kind: 'like',
      field: name,
      isNot: chance(random, 0.3),
      sign: pick(random, ['', '^', '$'] as const),
      text: isWritable(cased) ? cased : 'a',
    };
  }
  if (hasLists && kind < 0.5) {
    return { kind: 'among', field: name, isNot: chance(random, 0.3), values: several() };
  }
  if (hasLists && kind < 0.58) return { kind: 'every', field: name, values: [values(), values()] };
  return {
    kind: 'is',
    field: name,
    operator: pick(random, field.operators ?? OPERATORS),
    value: values(),
  };
};

/** A backslash before a quotation mark could not be told from one that escapes it. */
const isWritable = (text: string): boolean => text !== '' && !text.endsWith('\\');

const makeRecordClause = (maker: Maker): Clause => {
  const { random, publication } = maker;
  const records = publication[maker.resource as 'posts' | 'pages'];
  const column = (key: string) => (): Sought => {
    const record: OddRecord | undefined = records.length === 0 ? undefined : pick(random, records);
    return chance(random, 0.15) ? 'nothing' : String(record?.document[key] ?? 'none');
  };
  const term =
    (terms: readonly OddTerm[], key: 'slug' | 'id' | 'name' | 'visibility') => (): Sought => {
      if (terms.length === 0 || chance(random, 0.1)) return 'none';
      return pick(random, terms)[key];
    };
  const orNull = (values: () => Sought) => (): Sought => (chance(random, 0.1) ? null : values());
  const { tags, authors } = publication;
  const fields: Field[] = [
    { name: pick(random, ['id', 'uuid']), values: () => column('id')() },
    { name: 'id', values: column('id') },
    { name: 'uuid', values: column('uuid') },
    { name: 'slug', values: column('slug'), searched: true },
    { name: 'slug', values: column('slug'), searched: true },
    { name: 'title', values: column('title'), searched: true },
    { name: 'featured', values: () => pick(random, [true, false, 1, 0]), operators: EQUALITIES },
    { name: 'visibility', values: column('visibility'), operators: EQUALITIES },
    {
      name: pick(random, ['published_at', 'published_at', 'created_at', 'updated_at']),
      values: () => makeTime(random),
    },
    { name: 'published_at', values: () => makeTime(random), hasLists: false },
    {
      name: pick(random, ['og_title', 'html', 'feature_image']),
      values: () => null,
      operators: EQUALITIES,
      hasLists: false,
    },
    {
      name: pick(random, ['tag', 'tags', 'tags.slug', 'tag.slug']),
      values: orNull(term(tags, 'slug')),
      searched: true,
    },
    {
      name: pick(random, ['tag', 'tags', 'author']),
      values: term(tags, 'slug'),
      operators: EQUALITIES,
    },
    {
      name: pick(random, ['tags.visibility', 'tag.visibility']),
      values: () => pick(random, ['public', 'internal']),
    },
    { name: pick(random, ['tags.name', 'tag.name']), values: term(tags, 'name'), searched: true },
    { name: pick(random, ['tags.id', 'tag.id']), values: term(tags, 'id') },
    {
      name: pick(random, ['primary_tag', 'primary_tag.slug']),
      values: orNull(term(tags, 'slug')),
      searched: true,
    },
    {
      name: pick(random, ['primary_author', 'primary_author.slug']),
      values: orNull(term(authors, 'slug')),
      searched: true,
    },
    {
      name: pick(random, ['author', 'authors', 'authors.slug']),
      values: orNull(term(authors, 'slug')),
      searched: true,
    },
    {
      name: pick(random, ['authors.name', 'author.name']),
      values: term(authors, 'name'),
      searched: true,
    },
    { name: pick(random, ['authors.id', 'author.id']), values: term(authors, 'id') },
    { name: 'status', values: () => pick(random, ['draft', 'published', 'x']) },
  ];
  return makeField(maker, pick(random, fields));
};

const makeTermClause = (maker: Maker): Clause => {
  const { random, publication } = maker;
  const terms = publication[maker.resource as 'tags' | 'authors'];
  const values = (key: 'id' | 'slug' | 'name') => (): Sought =>
    terms.length === 0 || chance(random, 0.1) ? 'none' : pick(random, terms)[key];
  const fields: Field[] = [
    { name: 'id', values: values('id') },
    { name: 'slug', values: values('slug'), searched: true },
    { name: 'name', values: values('name'), searched: true },
    { name: 'visibility', values: () => pick(random, ['public', 'internal', 'public']) },
  ];
  return makeField(maker, pick(random, fields));
};

const DAY = 86_400_000;

const makeTime = (random: Random): string => {
  const ms = pick(random, ODD_TIMES) + pick(random, [0, 0, 1, -1]);
  return pick(random, [
    new Date(ms).toISOString(),
    new Date(ms).toISOString(),
    new Date(ODD_NOW - Math.floor(random() * 900) * DAY).toISOString().slice(0, 10),
    new Date(ODD_NOW - 7 * DAY).toISOString(),
    '2025',
  ]);
};

/** The text of a clause; `level` 0 needs no brackets, 1 stands in a list of alternatives, 2 in one of conditions. */
const spell = (random: Random, clause: Clause, level: 0 | 1 | 2): string => {
  const space = (): string => (chance(random, 0.1) ? ' ' : '');
  if (clause.kind === 'all' || clause.kind === 'any') {
    const isAll = clause.kind === 'all';
    const inner = clause.parts
      .map((part) => spell(random, part, isAll ? 2 : 1))
      .join(`${space()}${isAll ? '+' : ','}${space()}`);
    const isBare = level === 0 || (level === 1 && isAll);
    return isBare ? inner : `(${space()}${inner})`;
  }
  const field = `${clause.field}:`;
  const list = (values: readonly Sought[], separator: string): string =>
    `[${values.map((value) => spellValue(random, value)).join(`${separator}${space()}`)}]`;
  if (clause.kind === 'every') return field + list(clause.values, '+');
  if (clause.kind === 'among')
    return `${field}${clause.isNot ? '-' : ''}${list(clause.values, ',')}`;
  if (clause.kind === 'like') {
    return `${field}${clause.isNot ? '-' : ''}~${clause.sign}${quoted(clause.text)}`;
  }
  const sign = clause.operator === '=' ? '' : clause.operator === '!=' ? '-' : clause.operator;
  return `${field}${sign}${space()}${spellValue(random, clause.value)}`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

/** Seven days ago is written as such. */
const WEEK_AGO = new Date(ODD_NOW - 7 * DAY).toISOString();

const spellValue = (random: Random, value: Sought): string => {
  if (typeof value !== 'string') return String(value);
  if (value === WEEK_AGO && chance(random, 0.5)) return 'now-7d';
  const isWord = /^[a-z0-9][a-z0-9:.-]*$/i.test(value) && !/^(?:null|true|false)$/i.test(value);
  return isWord && chance(random, 0.5) ? value : quoted(value);
};
