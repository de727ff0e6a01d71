// No function has more than ten branches: what decides more is a table, or several functions.
import { parse } from 'acorn';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { readSources, type SourceFile } from './source-files.ts';

const BRANCHES_MAX = 10;

/** Functions that keep their branches, and why. */
const KEPT: Readonly<Record<string, string>> = {
  'src/publication/documents/html/reading-time.ts countWords': 'each byte of each body passes it',
  'src/publication/documents/html/html-tags.ts readTag': 'each tag of each body passes it',
  'src/content/queries/find-records.ts findRecords': 'its size counts in workers and web pages',
  'src/content/paths/address.ts parseAddress': 'its size counts in workers and web pages',
};

type Node = { readonly type: string; readonly [key: string]: unknown };

type Counted = { readonly name: string; branches: number };

const BRANCHES: ReadonlySet<string> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** A step that may go two ways; `??` gives a value, and is none. */
const isBranch = (node: Node): boolean =>
  BRANCHES.has(node.type) ||
  (node.type === 'LogicalExpression' && node.operator !== '??') ||
  (node.type === 'SwitchCase' && node.test !== null);

/** The name that a value gets where it stands. */
const nameFor = (node: Node): string | undefined => {
  const named = node.type === 'VariableDeclarator' ? node.id : node.key;
  return isNode(named) ? String(named.name ?? named.value) : undefined;
};

const countBranches = ({ path, text }: SourceFile): Counted[] => {
  const { code } = transformSync(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
  });
  const functions: Counted[] = [];
  const walk = (node: Node, around: Counted | null, name: string): void => {
    let inner = around;
    if (/Function/.test(node.type)) {
      inner = { name: `${path} ${isNode(node.id) ? node.id.name : name}`, branches: 0 };
      functions.push(inner);
    } else if (inner !== null && isBranch(node)) inner.branches += 1;
    for (const child of Object.values(node).flat().filter(isNode)) {
      walk(child, inner, nameFor(node) ?? '(unnamed)');
    }
  };
  const program: unknown = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  if (isNode(program)) walk(program, null, '');
  return functions;
};

const sources = readSources('src').filter(({ path }) => /(?<!\.d)\.tsx?$/.test(path));
const over = sources
  .flatMap(countBranches)
  .filter(({ branches }) => branches > BRANCHES_MAX)
  .map(({ name }) => name);

test('no function has more than ten branches but those that are named with a reason', () => {
  expect(over.toSorted()).toEqual(Object.keys(KEPT).toSorted());
});

test('branches are counted', () => {
  const text =
    'const a = (b, c) => { if (b && c) for (;;) break; return b ? c?.d ?? 1 : () => b || c; };';
  expect(countBranches({ path: 'x.ts', text })).toEqual([
    { name: 'x.ts a', branches: 4 },
    { name: 'x.ts (unnamed)', branches: 1 },
  ]);
});
