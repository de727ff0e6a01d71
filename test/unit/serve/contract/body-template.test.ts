import { expect, test } from 'vitest';
import {
  fillTemplate,
  type Template,
} from '../../../../src/publication/store/webhooks/fill-template.ts';
import { findHeadersFault } from '../../../../src/publication/store/webhooks/own-headers.ts';
import { findTemplateFault } from '../../../../src/serve/contract/body-template.ts';

const nested = (depth: number): Template => (depth === 0 ? {} : { a: nested(depth - 1) });

const TEMPLATES: readonly [string, Template, RegExp | null][] = [
  ['post.edited', { a: 'T: {{post.title}}', b: ['{{ post.primary_tag.name }}', 3, null] }, null],
  ['site.changed', { a: '{{all}}', b: '{{tags}}', c: '{{site.url}}', d: '{{generation}}' }, null],
  ['tag.added', { a: '{{tag}}', b: '{{title}} {{url}} {{event}} {{id}}' }, null],
  [
    'post.edited',
    { a: '{{post.titel}}' },
    /no placeholder \{\{post\.titel\}\}\. Did you mean \{\{post\.title\}\}\?$/,
  ],
  ['post.edited', { a: '{{poste.title}}' }, /no placeholder \{\{/],
  ['site.changed', { a: '{{post.title}}' }, /site\.changed has no post; \{\{title\}\}/],
  ['post.edited', { a: '{{post.title | upper}}' }, /holds "\{\{post\.title \| upper\}\}", which/],
  ['post.edited', { a: '{{constructor}}' }, /no placeholder \{\{/],
  ['post.edited', { a: '{{post.constructor}}' }, /no placeholder \{\{/],
  ['post.edited', { a: '{{#each tags}}' }, /is no placeholder/],
  ['post.edited', { '{{event}}': 1 }, /placeholders stand in values/],
  ['post.edited', { a: { b: [{ '{{x': 1 }] } }, /placeholders stand in values/],
  ['post.edited', { a: 'x'.repeat(16_384) }, /must not be longer than 16384 characters/],
  ['post.edited', { a: '{{event}}'.repeat(51) }, /must not hold more than 50 placeholders/],
  ['post.edited', nested(19), null],
  ['post.edited', nested(20), /must not be nested deeper than 20/],
];

test.each(TEMPLATES)('the template for %s is judged (%#)', (event, template, fault) => {
  const found = findTemplateFault(template, event);
  if (fault === null) expect(found).toBeNull();
  else expect(found ?? 'no fault').toMatch(fault);
});

test('a value cannot leave its place, and keeps its type where it stands alone', () => {
  const title = '"}, {"admin": true, "x": "\\ \u2028 {{site.url}} <!channel> $& $1';
  const values = { post: { title, featured: false, tags: [{ name: 'A' }] }, n: 7 };
  const template = {
    whole: '{{post.featured}}',
    number: '{{n}}',
    list: '{{post.tags}}',
    first: '{{post.tags.0.name}}',
    text: 'T: {{post.title}}!',
    mixed: '{{n}}: {{post.featured}} {{post.tags}} {{post.missing}}{{post.constructor}}',
    missing: ['{{post.missing.deeper}}', '{{post.constructor}}', '{{post.title.length}}'],
    plain: { n: 1, none: null },
  };
  expect(JSON.parse(fillTemplate(template, values))).toEqual({
    whole: false,
    number: 7,
    list: [{ name: 'A' }],
    first: 'A',
    text: `T: ${title}!`,
    mixed: '7: false [{"name":"A"}] ',
    missing: [null, null, null],
    plain: { n: 1, none: null },
  });
});

const many = (count: number, length: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-${at}`, 'v'.repeat(length)]));

const HEADERS: readonly [Record<string, string>, RegExp | null][] = [
  [{ Authorization: 'Bearer s3cret', 'X-Token': 'a  b' }, null],
  [many(10, 700), null],
  [many(11, 1), /more than 10 headers/],
  [many(3, 4_000), /longer than 8192 characters together/],
  [{ 'X-A': 'v'.repeat(4_097) }, /value of X-A that is longer than 4096/],
  [{ [`X-${'a'.repeat(63)}`]: 'v' }, /no header can have/],
  [{ 'X A': 'v' }, /no header can have/],
  [{ '': 'v' }, /no header can have/],
  [{ 'X-A\r\nHost': 'v' }, /no header can have/],
  [{ 'X-A': 's3cret\r\nHost: evil' }, /value of X-A that is empty, not ASCII/],
  [{ 'X-A': ' s3cret' }, /begins or ends with a space/],
  [{ 'X-A': '' }, /is empty/],
  [{ 'X-A': 's3crét' }, /not ASCII/],
  [{ 'X-A': 'v', 'x-a': 'v' }, /names x-a twice/],
  ...['Host', 'content-LENGTH', 'Transfer-Encoding', 'Connection', 'Content-Type', 'TE', 'Expect']
    .concat(['User-Agent', 'webhook-signature', 'Webhook-Id', 'X-Ghost-Signature', 'Proxy-A'])
    .map((name): [Record<string, string>, RegExp] => [
      { [name]: 's3cret' },
      new RegExp(`must not hold ${name}, which is written by Prepress`),
    ]),
];

test.each(HEADERS)('headers are judged (%#), and no value is repeated', (headers, fault) => {
  const found = findHeadersFault(headers);
  if (fault === null) expect(found).toBeNull();
  else expect(found ?? 'no fault').toMatch(fault);
  expect(found ?? '').not.toContain('s3cr');
});
