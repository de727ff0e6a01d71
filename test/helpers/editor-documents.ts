// Documents for the tests of the editor: those of a captured Ghost, and one of each card that Ghost's editor has.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createEditor, DecoratorNode, type Klass, type LexicalNode } from 'lexical';

type CardClass = Klass<LexicalNode> & (new (fields: object) => LexicalNode);

const CAPTURED = '../fixtures/ghost-small/ghost-export.json';

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
  '{"type":"paragraph","version":1,"children":[{"type":"at-link","version":1,"children":[],"linkFormat":0}]}',
  '{"type":"paragraph","version":1,"children":[{"type":"zwnj","version":1,"text":""}]}',
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

export const documentOf = (blocks: readonly string[]): string =>
  `{ "root": {"type":"root", "children": [${blocks.join(', ')}],"direction":"ltr","format":"","indent":0,"version":1}}`;
