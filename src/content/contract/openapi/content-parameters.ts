// The parameters of content queries in OpenAPI: what each takes, and what is refused with 400 or 422.
import type { JsonSchema } from './json-schema.ts';

const RECORD_FILTER =
  'Keys: id, uuid, slug, title, featured, visibility, published_at, updated_at, created_at, tag, author, ' +
  'primary_tag, primary_author with their fields, and columns that may be null, compared with null.';
const TERM_FILTER = 'Keys: visibility, slug, id, name.';
const RECORD_ORDER = 'Fields: published_at, updated_at, created_at, title, slug, featured, id.';
const TERM_ORDER = 'Fields: name, slug, id, and count.posts where it is included.';

type Facts = {
  readonly includes: readonly string[];
  readonly filter: string;
  readonly filterExample: string;
  readonly order: string;
  readonly orderExample: string;
  readonly fieldsExample: string;
};

const RECORDS: Facts = {
  includes: ['authors', 'tags'],
  filter: RECORD_FILTER,
  filterExample: 'tag:news+featured:true',
  order: RECORD_ORDER,
  orderExample: 'featured desc,published_at desc',
  fieldsExample: 'title,slug,published_at',
};

const TERMS: Facts = {
  includes: ['count.posts'],
  filter: TERM_FILTER,
  filterExample: 'visibility:public',
  order: TERM_ORDER,
  orderExample: 'name desc',
  fieldsExample: 'name,slug',
};

const factsOf = (resource: string): Facts =>
  resource === 'tags' || resource === 'authors' ? TERMS : RECORDS;

/** Of a list: those of a record, and what only lists have. */
export const listParameters = (resource: string): JsonSchema[] => {
  const facts = factsOf(resource);
  return [
    parameter('limit', {
      description:
        'How many records at most. More than the setting lists.max, 0, "all" and any other word are lists.max; ' +
        'what begins like a number without being one is 422.',
      schema: { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'all' }] },
      example: 15,
    }),
    parameter('page', {
      description: 'Which page of so many records. One past the end is empty; no number is 422.',
      schema: { type: 'integer', minimum: 0, default: 1 },
      example: 1,
    }),
    parameter('filter', {
      description: `Which records, in Ghost's filter language. ${facts.filter} Anything else is 400.`,
      schema: { type: 'string', maxLength: 2_000 },
      example: facts.filterExample,
    }),
    parameter('order', {
      description: `Fields with asc or desc. ${facts.order} Others are ignored; other signs are 422.`,
      schema: { type: 'string', pattern: '^[A-Za-z0-9_,. ]*$' },
      example: facts.orderExample,
    }),
    ...recordParameters(resource),
  ];
};

/** Of a list and of a single record. */
export const recordParameters = (resource: string): JsonSchema[] => {
  const { includes, fieldsExample } = factsOf(resource);
  const shape = [
    parameter('include', {
      description: `Related data to add: ${includes.join(', ')}. Other values are ignored.`,
      schema: { type: 'string' },
      example: includes.join(','),
    }),
    parameter('fields', {
      description:
        'The only keys to send, besides what is included. What a record was looked up by is always sent. ' +
        'Unknown names are ignored.',
      schema: { type: 'string' },
      example: fieldsExample,
    }),
  ];
  if (factsOf(resource) === TERMS) return shape;
  const formats = parameter('formats', {
    description:
      'Forms of the text: html, plaintext, or both; html without it. mobiledoc and lexical are ignored; ' +
      'anything else is 422.',
    schema: { type: 'string' },
    example: 'html,plaintext',
  });
  return [...shape, formats];
};

type Parameter = {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string | number;
};

const parameter = (name: string, facts: Parameter): JsonSchema => ({ name, in: 'query', ...facts });
