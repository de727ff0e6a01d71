// The OpenAPI document of the content interface, made of the schemas that the documents themselves are
// tested with.

import { paginationSchema, RECORD_SCHEMAS } from '../documents.ts';
import { errorDocumentSchema } from '../error.ts';
import { GHOST_RECORD_SCHEMAS, ghostSettingsSchema, tierSchema } from '../ghost-documents.ts';
import { GHOST_VERSION } from '../ghost-version.ts';
import { SEARCH_SCHEMAS } from '../search-index.ts';
import { settingsSchema } from '../settings.ts';
import { listParameters, recordParameters } from './content-parameters.ts';
import {
  type JsonSchema,
  jsonResponse,
  objectOf,
  ref,
  toJsonSchema,
  withExample,
} from './json-schema.ts';

type DocumentOptions = {
  /** Where `/content/` lies, without a trailing slash; absent: wherever the document itself is. */
  readonly serverUrl?: string;
  /** The setting `shape`. */
  readonly shape?: 'interface' | 'ghost';
};

type Schemas = typeof RECORD_SCHEMAS;

export const contentOpenApi = (options: DocumentOptions = {}): JsonSchema => {
  const { serverUrl = '.', shape = 'interface' } = options;
  const isGhost = shape === 'ghost';
  const schemas = isGhost ? GHOST_RECORD_SCHEMAS : RECORD_SCHEMAS;
  const settings = isGhost ? ghostSettingsSchema : settingsSchema;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Content interface',
      version: GHOST_VERSION,
      description:
        'Published posts, pages, tags, authors and settings, read-only. Hosts that run no code know the ' +
        'parameter include, and the filter visibility:public of tags.',
    },
    servers: [{ url: serverUrl }],
    paths: {
      ...Object.assign({}, ...Object.keys(schemas).map((resource) => pathsOf(schemas, resource))),
      ...searchPaths(),
      '/content/settings/': {
        get: operation('settings', 'Settings of the site.', {
          parameters: [],
          schema: objectOf({
            settings: ref('Settings'),
            ...(isGhost && { meta: objectOf({}) }),
          }),
        }),
      },
      ...(isGhost && tiersPath()),
    },
    components: {
      schemas: {
        ...recordSchemas(schemas),
        Settings: withExample(toJsonSchema(settings, 'output')),
        Pagination: toJsonSchema(paginationSchema, 'output'),
        Problem: toJsonSchema(errorDocumentSchema, 'output'),
      },
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'key', description: 'A content key.' },
      },
    },
  };
};

const tiersPath = (): JsonSchema => ({
  '/content/tiers/': {
    get: operation('tiers', 'The tiers that are offered.', {
      parameters: [],
      schema: objectOf({
        tiers: { type: 'array', items: toJsonSchema(tierSchema, 'output') },
        meta: objectOf({ pagination: ref('Pagination') }),
      }),
    }),
  },
});

const NAMES: Readonly<Record<string, string>> = {
  posts: 'Post',
  pages: 'Page',
  tags: 'Tag',
  authors: 'Author',
};

const nameOf = (resource: string, variant: string): string => {
  const suffix = variant
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return `${NAMES[resource]}${variant === 'index' ? '' : `With${suffix}`}`;
};

const recordSchemas = (all: Schemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([resource, variants]) => [
      ...Object.entries(variants).map(([variant, schema]) => [
        nameOf(resource, variant),
        withExample(toJsonSchema(schema, 'output')),
      ]),
      [partName(resource), partSchema(all, resource)],
    ]),
  );

const partName = (resource: string): string => `${NAMES[resource]}Part`;

/** With `fields` or `formats`: some keys of the largest variant. */
const partSchema = (all: Schemas, resource: string): JsonSchema => {
  const largest = Object.values(all[resource] ?? {}).at(-1) ?? settingsSchema;
  const { required: _, properties, ...schema } = toJsonSchema(largest, 'output');
  const keys = properties as Readonly<Record<string, JsonSchema>>;
  const hasText = Object.hasOwn(keys, 'html');
  const plaintext = hasText ? { plaintext: { type: ['string', 'null'] } } : {};
  return { ...schema, properties: { ...keys, ...plaintext } };
};

const pathsOf = (all: Schemas, resource: string): JsonSchema => {
  const variants = Object.keys(all[resource] ?? {});
  const names = [...variants.map((variant) => nameOf(resource, variant)), partName(resource)];
  const record = { anyOf: names.map(ref) };
  const list = objectOf({
    [resource]: { type: 'array', items: record },
    meta: objectOf({ pagination: ref('Pagination') }),
  });
  const single = objectOf({
    [resource]: { type: 'array', items: record, minItems: 1, maxItems: 1 },
  });
  const read = (name: string): JsonSchema => ({
    get: operation(resource, `One of the ${resource}, by ${name}.`, {
      parameters: [
        { name, in: 'path', required: true, schema: { type: 'string' } },
        ...recordParameters(resource),
      ],
      schema: single,
      refusals: [422],
    }),
  });
  return {
    [`/content/${resource}/`]: {
      get: operation(
        resource,
        `The published ${resource} that a query asks for; without one, the first lists.max.`,
        {
          parameters: listParameters(resource),
          schema: list,
          refusals: [400, 422],
        },
      ),
    },
    [`/content/${resource}/{id}/`]: read('id'),
    [`/content/${resource}/slug/{slug}/`]: read('slug'),
  };
};

const searchPaths = (): JsonSchema =>
  Object.fromEntries(
    Object.entries(SEARCH_SCHEMAS).map(([resource, schema]) => [
      `/content/search-index/${resource}/`,
      {
        get: operation('search-index', `What search in the browser reads of the ${resource}.`, {
          parameters: [],
          schema: objectOf({
            [resource]: { type: 'array', items: toJsonSchema(schema, 'output') },
          }),
        }),
      },
    ]),
  );

const REFUSALS = {
  400: 'The filter cannot be understood.',
  422: 'A parameter has a value that it cannot have.',
} as const;

type Operation = {
  readonly parameters: readonly JsonSchema[];
  readonly schema: JsonSchema;
  readonly refusals?: readonly (keyof typeof REFUSALS)[];
};

const operation = (
  tag: string,
  summary: string,
  { parameters, schema, refusals = [] }: Operation,
): JsonSchema => ({
  tags: [tag],
  summary,
  security: [{ key: [] }, {}],
  ...(parameters.length > 0 && { parameters }),
  responses: {
    200: { description: 'Found.', content: { 'application/json': { schema } } },
    ...Object.fromEntries(refusals.map((status) => [status, problem(REFUSALS[status])])),
    default: problem('What went wrong, in nine keys.'),
  },
});

const problem = (description: string): JsonSchema => jsonResponse(description, ref('Problem'));
