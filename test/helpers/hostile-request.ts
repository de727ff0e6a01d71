// Requests of the admin interface as generators: valid, nearly valid and hostile, for any operation of the
// table. A request names ids by number, taken modulo what is there when it is sent.
import fc from 'fast-check';
import type { ListedOperation, Operation } from '../../src/serve/contract/operations/operation.ts';
import { exampleBody } from '../../src/serve/contract/operations/operations.ts';

export type HostileRequest = {
  readonly operation: ListedOperation;
  /** Path values: a number picks an existing record, a text stands for itself. */
  readonly keys: readonly (number | string)[];
  readonly query: readonly (readonly [string, string])[];
  /** The exact body, or null for none. */
  readonly body: string | null;
  readonly contentType: string;
};

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  "' OR 1=1 --",
  '"; DROP TABLE members; --',
  "x') UNION SELECT secret_sealed FROM api_keys --",
  '%',
  '_%\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202e\u{1F600}',
  'é'.repeat(200),
  'x'.repeat(192),
  'x'.repeat(2001),
  '../../../etc/passwd',
  '..%2f..%2f',
  '<script>alert(1)</script>',
  '<!--members-only-->',
  '<p>'.repeat(3000),
  '{{7*7}}',
  '__proto__',
  'constructor',
  'a@example.com\r\nBcc: b@example.com',
  '9999-99-99T99:99:99.999Z',
  '2026-01-31T10:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '#',
  ',x',
  '1e999',
  'https://10.0.0.1/',
  'javascript:alert(1)',
] as const;

const NUMBERS = [0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE];

const FILTERS = [
  'status:free',
  "name:~'a'+status:-free",
  'label:[vip,none],created_at:>now-7d',
  'created_at:<now-99999999999d',
  'tag:news+featured:true',
  '((((status:draft))))',
  'status:',
  'a:b:c',
  "slug:'",
  'password:x',
  '__proto__:x',
  'created_at:>soon',
  `${'('.repeat(500)}status:free`,
  'name:[aa,bb]+name:-[cc,dd]',
  'published_at:null,featured:-true',
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<string>(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.emailAddress() },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-f]{24}$/) },
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...NUMBERS, true, false, null) },
  { weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.record({ id: text, name: text, slug: text }, { requiredKeys: [] }), {
      maxLength: 3,
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Bodies that are no payload at all, as text. */
const OUTRAGES = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"__proto__":{"isAdmin":true}}',
  '{"ROOT":[{"__proto__":{"isAdmin":true}}]}',
  '{"ROOT":[{"constructor":{"prototype":{"isAdmin":true}}}]}',
  '{"ROOT":[]}',
  '{"ROOT":{}}',
  '{"ROOT":[null]}',
  '{"ROOT":[{},{}]}',
  '{"ROOT":[{"id":1e400}]}',
  '{"ROOT":[{"name":"\\ud800"}]}',
  '{"ROOT":[{"note":1,"note":2}]}',
  nested(5000),
  `{"ROOT":[{"name":${nested(2000)}}]}`,
];

const HUGE = 10 * 1024 * 1024;

const propertiesOf = ({ body }: Operation): string[] => {
  // What stands behind a first step that renames.
  const schema = body !== undefined && 'out' in body.schema ? body.schema.out : body?.schema;
  const shape = Object(schema).shape ?? {};
  return Object.keys(shape as object);
};

const bodyFor = (operation: ListedOperation): fc.Arbitrary<string | null> => {
  const { body } = operation;
  if (body === undefined) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(...OUTRAGES) },
    );
  }
  const root = body.root ?? 'token';
  const names = fc.constantFrom(...propertiesOf(operation), 'id', 'uuid', 'status', 'created_at');
  const changes = fc.array(fc.tuple(names, value), { maxLength: 4 });
  const payload = changes.map((pairs) => {
    const element = { ...(body.example as object), ...Object.fromEntries(pairs) };
    return JSON.stringify(exampleBody({ ...body, example: element }));
  });
  return fc.oneof(
    { weight: 60, arbitrary: payload },
    { weight: 8, arbitrary: fc.constantFrom(...OUTRAGES).map((one) => one.replace('ROOT', root)) },
    { weight: 3, arbitrary: fc.jsonValue().map((one) => JSON.stringify({ [root]: one })) },
    {
      weight: 1,
      arbitrary: fc.constant(0).map(() => `{"${root}":[{"name":"${'x'.repeat(HUGE)}"}]}`),
    },
  );
};

const parameter = (name: string): fc.Arbitrary<string> => {
  switch (name) {
    case 'filter':
      return fc.oneof(fc.constantFrom(...FILTERS), text);
    case 'limit':
    case 'page':
      return fc.oneof(fc.constantFrom('all', '0', '1', '2', '-1', '1e9', '9'.repeat(400)), text);
    case 'order':
      return fc.oneof(fc.constantFrom('name asc', 'created_at desc,id asc', 'x desc', ';'), text);
    case 'include':
      return fc.oneof(
        fc.constantFrom('newsletters,labels,tiers,email_recipients', 'count.posts', 'tags'),
        text,
      );
    case 'formats':
      return fc.oneof(fc.constantFrom('html', 'plaintext,lexical'), text);
    case 'source':
      return fc.oneof(fc.constant('html'), text);
    default:
      return text;
  }
};

const queryFor = (operation: Operation): fc.Arbitrary<(readonly [string, string])[]> => {
  const names = [...(operation.query ?? []), '__proto__', 'key'];
  const pair = fc
    .constantFrom(...names)
    .chain((name) => parameter(name).map((one) => [name, one] as const));
  return fc.array(pair, { maxLength: 3 });
};

const TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=x'];

export const hostileRequest = (
  operations: readonly ListedOperation[],
): fc.Arbitrary<HostileRequest> =>
  fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      keys: fc.array(fc.oneof({ weight: 5, arbitrary: fc.nat() }, { weight: 1, arbitrary: text }), {
        minLength: 1,
        maxLength: 1,
      }),
      query: queryFor(operation),
      body: bodyFor(operation),
      contentType: fc.oneof(
        { weight: 30, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
      ),
    }),
  );
