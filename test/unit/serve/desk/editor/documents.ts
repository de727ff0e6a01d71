// Documents for the tests of the editor: one of each card that Ghost's editor has, and random ones.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { createEditor, DecoratorNode, type Klass, type LexicalNode } from 'lexical';

type CardClass = Klass<LexicalNode> & (new (fields: object) => LexicalNode);

const CAPTURED = '../../../../fixtures/ghost-small/ghost-export.json';

type Export = { readonly db: [{ data: { posts: { lexical: string | null }[] } }] };

/** The documents of a captured Ghost's export. */
export const ghostPosts = (): string[] => {
  const path = join(import.meta.dirname, CAPTURED);
  const { db } = JSON.parse(readFileSync(path, 'utf8')) as Export;
  return db[0].data.posts.flatMap(({ lexical }) => lexical ?? []);
};

/** What is no card: text, and blocks of text. */
const OTHERS = [
  '{"type":"aside","version":1,"children":[],"direction":null,"format":"","indent":0}',
  '{"children":[],"direction":null,"format":"","indent":0,"type":"extended-quote","version":1}',
  '{"type":"at-link","version":1,"children":[],"linkFormat":0}',
  '{"type":"zwnj","version":1,"text":""}',
];

/** The JSON of each card as Ghost's own class writes it. */
export const everyCard = (): string[] => {
  const require = createRequire(import.meta.url);
  const { DEFAULT_NODES } = require('@tryghost/kg-default-nodes') as { DEFAULT_NODES: unknown[] };
  const nodes = DEFAULT_NODES.filter(
    (one): one is CardClass => typeof one === 'function' && one.prototype instanceof DecoratorNode,
  );
  const cards: string[] = [];
  const editor = createEditor({ nodes });
  editor.update(
    () => {
      for (const Card of nodes) cards.push(JSON.stringify(new Card({}).exportJSON()));
    },
    { discrete: true },
  );
  return [...cards, ...OTHERS];
};

const documentOf = (blocks: readonly string[]): string =>
  `{ "root": {"type":"root", "children": [${blocks.join(', ')}],"direction":"ltr","format":"","indent":0,"version":1}}`;

/** JSON with its members in any order, spaces and unknown members among them. */
const object = (members: fc.Arbitrary<readonly (readonly [string, string])[]>) =>
  fc.tuple(members, fc.constantFrom(':', ' : '), fc.boolean()).chain(([list, colon, isOdd]) =>
    fc
      .shuffledSubarray([...list, ...(isOdd ? [['odd', '"\\u00e9"'] as const] : [])], {
        minLength: list.length + (isOdd ? 1 : 0),
      })
      .map((some) => `{${some.map(([name, value]) => `"${name}"${colon}${value}`).join(',')}}`),
  );

const text = object(
  fc
    .tuple(
      fc.constantFrom('text', 'extended-text'),
      fc.string(),
      fc.nat(255),
      fc.constantFrom('', 'white-space: pre-wrap;'),
    )
    .map(([type, words, format, style]) => [
      ['type', JSON.stringify(type)],
      ['text', JSON.stringify(words)],
      ['format', String(format)],
      ['style', JSON.stringify(style)],
    ]),
);

const inline = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom(
    '{"version":1,"type":"linebreak"}',
    '{"type":"tk","version":1,"text":"TK"}',
    '{"type":"at-link","children":[]}',
  ),
  fc
    .array(text, { maxLength: 2 })
    .map((children) => `{"type":"link","url":"https://example.org/","children":[${children}]}`),
);

const element = (own: readonly (readonly [string, string])[]) =>
  object(
    fc
      .array(inline, { maxLength: 4 })
      .map((children) => [...own, ['children', `[${children}]`] as const]),
  );

const item = element([['type', '"listitem"']]);

const block = fc.oneof(
  element([['type', '"paragraph"']]),
  element([
    ['type', '"extended-heading"'],
    ['tag', '"h2"'],
  ]),
  element([['type', '"aside"']]),
  element([['type', '"extended-quote"']]),
  element([['type', '"callout"']]),
  fc
    .array(item, { maxLength: 3 })
    .map((items) => `{"children":[${items}],"type":"list","listType":"bullet","tag":"ul"}`),
  fc.constantFrom(
    '{"type":"horizontalrule"}',
    '{"type":"paywall","version":1}',
    '{"type":"paragraph","type":"paragraph","children":[]}',
    '{"html":"<b>\\u003c</b>",  "type":"html"}',
  ),
);

export type MadeDocument = {
  readonly text: string;
  readonly blocks: readonly string[];
  /** Where a paragraph of one plain text stands. */
  readonly at: number;
};

export const PLAIN = '{"type":"paragraph","odd":[1.0],"children":[{"type":"text","text":"plain"}]}';

export const madeDocument: fc.Arbitrary<MadeDocument> = fc
  .tuple(fc.array(block, { maxLength: 6 }), fc.array(block, { maxLength: 6 }))
  .map(([before, after]) => {
    const blocks = [...before, PLAIN, ...after];
    return { text: documentOf(blocks), blocks, at: before.length };
  });

export const wrap = documentOf;
