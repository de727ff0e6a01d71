// The OpenAPI document of the admin interface, made of the table of operations and the schemas that the
// server itself reads and answers with.
import { errorDocumentSchema } from '../../../content/contract/error.ts';
import { GHOST_VERSION } from '../../../content/contract/ghost-version.ts';
import {
  type JsonSchema,
  jsonResponse,
  objectOf,
  ref,
  toJsonSchema,
  withExample,
} from '../../../content/contract/openapi/json-schema.ts';
import { adminPagination } from '../record-fields.ts';
import { RECORDS } from '../records.ts';
import type { ListedAnswer, ListedBody, ListedOperation, Operation } from './operation.ts';
import { ADMIN_OPERATIONS, exampleBody, metaSchema } from './operations.ts';
import { QUERY, type QueryName } from './query-parameters.ts';

type DocumentOptions = {
  /** Origin and base path of the server, without a trailing slash. */
  readonly serverUrl: string;
};

export const adminOpenApi = ({ serverUrl }: DocumentOptions): JsonSchema => ({
  openapi: '3.1.0',
  info: {
    title: 'Admin interface',
    version: GHOST_VERSION,
    description:
      'Publishing, members, newsletters and webhooks. Works with clients made for Ghost; addresses also answer under /ghost/api.',
  },
  servers: [{ url: serverUrl }],
  tags: [...new Set(ADMIN_OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
  paths: pathsOf(ADMIN_OPERATIONS),
  components: {
    schemas: {
      ...Object.fromEntries(
        Object.entries(RECORDS).map(([name, schema]) => [
          name,
          withExample(toJsonSchema(schema, 'output')),
        ]),
      ),
      Pagination: toJsonSchema(adminPagination, 'output'),
      Problem: toJsonSchema(errorDocumentSchema, 'output'),
    },
    responses: { Problem: jsonResponse('What went wrong, in nine keys.', ref('Problem')) },
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'A JWT signed with an admin key {id}:{secret}: HS256, kid = id, the secret hex-decoded, aud /admin/, exp at most 5 minutes after iat. "Ghost" instead of "Bearer" works too.',
      },
    },
  },
});

const pathsOf = (operations: readonly ListedOperation[]): JsonSchema => {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const entry = paths[operation.path] ?? {};
    entry[operation.method] = operationObject(operation);
    paths[operation.path] = entry;
  }
  return paths;
};

const operationObject = (operation: ListedOperation): JsonSchema => {
  const { tag, summary, body, form, answer, keys } = operation;
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name)),
    ...(operation.query ?? []).map((name) => queryParameter(name, tag)),
  ];
  return {
    tags: [tag],
    summary,
    operationId: operationIdOf(operation),
    security: keys === 'none' ? [] : [{ key: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBody(body) }),
    ...(form !== undefined && { requestBody: formBody(form) }),
    responses: {
      [answer.status]: successOf(operation),
      ...(operation.isLong && { 202: LONG }),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
};

const operationIdOf = ({ method, path }: ListedOperation): string =>
  `${method}${path.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter?: string) => letter?.toUpperCase() ?? '')}`;

const requestBody = (body: ListedBody): JsonSchema => {
  const element = toJsonSchema(body.schema, 'input');
  const held = body.holds === 'object' ? element : { type: 'array', items: element, minItems: 1 };
  const schema =
    body.root === null
      ? element
      : { type: 'object', required: [body.root], properties: { [body.root]: held } };
  const content = { 'application/json': { schema, example: exampleBody(body) } };
  return { required: true, content };
};

const formBody = (form: NonNullable<Operation['form']>): JsonSchema => {
  const parts = Object.entries(form).map(([name, kind]) => [
    name,
    { type: 'string', ...(kind === 'binary' && { format: 'binary' }) },
  ]);
  const [file] = Object.keys(form);
  const schema = { type: 'object', required: [file], properties: Object.fromEntries(parts) };
  return { required: true, content: { 'multipart/form-data': { schema } } };
};

const successOf = ({ answer }: ListedOperation): JsonSchema => {
  switch (answer.kind) {
    case 'none':
      return { description: 'Done.' };
    case 'file':
      return {
        description: 'The file.',
        content: { [answer.type]: { schema: { type: 'string' } } },
      };
    case 'page':
      return {
        description: 'A page for people.',
        content: { 'text/html': { schema: { type: 'string' } } },
      };
    case 'free':
      return jsonResponse('Done.', { type: 'object' });
    case 'object':
      return jsonResponse('Done.', objectOf({ [answer.root]: ref(answer.record) }));
    case 'list':
    case 'all':
    case 'single': {
      const records = { type: 'array', items: ref(answer.record) };
      const body = { [answer.root]: records, ...metaOf(answer) };
      const isOptional = metaSchema(answer)?.safeParse(undefined).success;
      return jsonResponse('Done.', objectOf(body, isOptional ? ['meta'] : []));
    }
  }
};

const metaOf = (answer: ListedAnswer): Readonly<Record<string, JsonSchema>> => {
  if (answer.kind === 'list') return { meta: objectOf({ pagination: ref('Pagination') }) };
  const schema = metaSchema(answer);
  return schema === undefined ? {} : { meta: toJsonSchema(schema, 'output') };
};

const LONG = jsonResponse(
  'It takes longer: Location shows how far it is.',
  objectOf({ job: ref('MemberJob'), meta: { type: 'object' } }, ['meta']),
);

const pathParameter = (name: string): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  schema: name === 'id' ? { type: 'string', pattern: '^[0-9a-f]{24}$' } : { type: 'string' },
});

/** Where what is asked for one kind of record is no example for another. */
const EXAMPLES: Readonly<Record<string, Partial<Record<QueryName, string>>>> = {
  posts: { filter: 'status:published+featured:false', include: 'tags,authors' },
  pages: { filter: 'status:published', include: 'tags,authors' },
  tags: { filter: 'visibility:public', include: 'count.posts' },
  users: { include: 'count.posts' },
  members: { filter: 'status:free', search: 'a' },
  newsletters: { filter: 'status:active' },
  labels: { fields: 'id,name' },
  tiers: { filter: 'type:paid' },
  offers: { filter: 'status:active', fields: 'id,code' },
};

const queryParameter = (name: QueryName, tag: string): JsonSchema => {
  const example = EXAMPLES[tag]?.[name];
  return {
    name,
    in: 'query',
    schema: { type: 'string' },
    ...QUERY[name],
    ...(example !== undefined && { example }),
  };
};
