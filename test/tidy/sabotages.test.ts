// Sabotages name a text of the product. The battery's short form tries only some of them, so that here each is
// held against the source as it is: a text that is there not exactly once would break nothing.

import { parse } from 'acorn';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { readSources, readText, type SourceFile } from './source-files.ts';

type Found = { readonly at: string; readonly file: string; readonly replace: string };

type Node = { readonly type: string; readonly [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** A node and all below it. */
const walk = (node: Node): Node[] => [
  node,
  ...Object.values(node).flat().filter(isNode).flatMap(walk),
];

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : '');

/** The text of a literal, or of a constant of the same file that is one. */
const textOf = (node: unknown, constants: ReadonlyMap<string, unknown>): string | null => {
  if (!isNode(node)) return null;
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'Identifier') return textOf(constants.get(nameOf(node)), constants);
  const [quasi, ...others] = node.type === 'TemplateLiteral' ? (node.quasis as Node[]) : [];
  if (quasi === undefined || others.length > 0) return null;
  return (quasi.value as { cooked: string }).cooked;
};

const findSabotages = ({ path, text }: SourceFile): Found[] => {
  const { code } = transformSync(text, { loader: 'ts' });
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const nodes = walk(program as unknown as Node);
  const constants = new Map(
    nodes
      .filter(({ type }) => type === 'VariableDeclarator')
      .map(({ id, init }) => [nameOf(id), init]),
  );
  return nodes.flatMap((node) => {
    if (node.type !== 'ObjectExpression') return [];
    const values = new Map(
      (node.properties as Node[]).map((property) => [nameOf(property.key), property.value]),
    );
    if (!['file', 'replace', 'by'].every((key) => values.has(key))) return [];
    const file = textOf(values.get('file'), constants);
    const replace = textOf(values.get('replace'), constants);
    if (file === null || replace === null) {
      throw new Error(`${path}: a sabotage names its file and text as literals.`);
    }
    return [{ at: path, file, replace }];
  });
};

const found = readSources('test').flatMap(findSabotages);

test('every sabotage replaces a text that stands exactly once', () => {
  const stale = found.filter(({ file, replace }) => readText(file).split(replace).length !== 2);
  expect(stale).toEqual([]);
});

test('sabotages are found, wherever they are written', () => {
  const files = new Set(found.map(({ at }) => at));
  const writers = readSources('test').filter(({ text }) => /^\s*replace: /m.test(text));
  expect(writers.map(({ path }) => path).filter((path) => !files.has(path))).toEqual([]);
  expect(found.length).toBeGreaterThan(120);
});
