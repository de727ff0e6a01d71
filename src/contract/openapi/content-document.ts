// The OpenAPI document of the content interface, made of the schemas that the documents themselves are
// tested with.
import { paginationSchema, RECORD_SCHEMAS } from '../content/documents.ts';
import { errorDocumentSchema } from '../content/error.ts';
import { SEARCH_SCHEMAS } from '../content/search-index.ts';
import { settingsSchema } from '../content/settings.ts';
import { exampleOf, type JsonSchema, toJsonSchema } from './json-schema.ts';

type DocumentOptions = {
  /** Where `/content/` lies, without a trailing slash; absent: wherever the document itself is. */
  readonly serverUrl?: string;
};

export const contentOpenApi = ({ serverUrl = '.' }: DocumentOptions = {}): JsonSchema => ({
  openapi: '3.1.0',
  info: {
    title: 'Content interface',
    version: '6.65',
    description: 'Published posts, pages, tags, authors and settings, read-only.',
  },
  servers: [{ url: serverUrl }],
  paths: {
    ...Object.assign({}, ...Object.keys(RECORD_SCHEMAS).map(pathsOf)),
    ...searchPaths(),
    '/content/settings/': {
      get: operation('settings', 'Settings of the site.', {
        parameters: [],
        schema: objectOf({ settings: ref('Settings') }),
      }),
    },
  },
  components: {
    schemas: {
      ...recordSchemas(),
      Settings: withExample(toJsonSchema(settingsSchema, 'output')),
      Pagination: toJsonSchema(paginationSchema, 'output'),
      Problem: toJsonSchema(errorDocumentSchema, 'output'),
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'query', name: 'key', description: 'A content key.' },
    },
  },
});

const NAMES: Readonly<Record<string, string>> = {
  posts: 'Post',
  pages: 'Page',
  tags: 'Tag',
  authors: 'Author',
};

const INCLUDES: Readonly<Record<string, string>> = {
  posts: 'authors,tags',
  pages: 'authors,tags',
  tags: 'count.posts',
  authors: 'count.posts',
};

const nameOf = (resource: string, variant: string): string => {
  const suffix = variant
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return `${NAMES[resource]}${variant === 'index' ? '' : `With${suffix}`}`;
};

const recordSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(RECORD_SCHEMAS).flatMap(([resource, variants]) =>
      Object.entries(variants).map(([variant, schema]) => [
        nameOf(resource, variant),
        withExample(toJsonSchema(schema, 'output')),
      ]),
    ),
  );

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const withExample = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  examples: [exampleOf(schema)],
});

const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});

const pathsOf = (resource: string): JsonSchema => {
  const variants = Object.keys(RECORD_SCHEMAS[resource] ?? {});
  const record = { anyOf: variants.map((variant) => ref(nameOf(resource, variant))) };
  const include = parameter('include', 'Related data to add.', INCLUDES[resource] ?? '');
  const filter = parameter('filter', 'Only public tags.', 'visibility:public');
  const list = objectOf({
    [resource]: { type: 'array', items: record },
    meta: objectOf({ pagination: ref('Pagination') }),
  });
  const single = objectOf({
    [resource]: { type: 'array', items: record, minItems: 1, maxItems: 1 },
  });
  const read = (name: string): JsonSchema => ({
    get: operation(resource, `One of the ${resource}, by ${name}.`, {
      parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }, include],
      schema: single,
    }),
  });
  return {
    [`/content/${resource}/`]: {
      get: operation(resource, `Every published one of the ${resource}.`, {
        parameters: resource === 'tags' ? [include, filter] : [include],
        schema: list,
      }),
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

const parameter = (name: string, description: string, example: string): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
  example,
});

const operation = (
  tag: string,
  summary: string,
  {
    parameters,
    schema,
  }: { readonly parameters: readonly JsonSchema[]; readonly schema: JsonSchema },
): JsonSchema => ({
  tags: [tag],
  summary,
  security: [{ key: [] }, {}],
  ...(parameters.length > 0 && { parameters }),
  responses: {
    200: { description: 'Found.', content: { 'application/json': { schema } } },
    default: {
      description: 'What went wrong, in nine keys.',
      content: { 'application/json': { schema: ref('Problem') } },
    },
  },
});
