// No regular expression of the product backtracks over text that anyone may have written: each takes time that
// grows with its text alone, or is listed with the reason why its text is short or the program's own.
import { parse } from 'acorn';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { findFault } from './linear-pattern.ts';
import { readSources, type SourceFile } from './source-files.ts';

/** By file: the beginning of the expression, and why it never meets a long text of anyone's. */
const EXCEPTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/publication/store/webhooks/webhook-secret.ts': [
    ['^(?:[A-Za-z0-9+/]{4})*', 'a secret has at most 191 units'],
  ],
  'src/settings/deploy-targets.ts': [['^s3:', 'a setting of the operator']],
  'src/base/text/path-pattern.ts': [
    ['\\((?:\\?:)?|', 'tried at one place'],
    ['^\\[(\\^?)', 'a class in a pattern of at most 500 characters'],
    ['(\\[[^\\]]*', 'a pattern of at most 2,000 characters'],
    ['\\([^()]*', 'a pattern of at most 2,000 characters'],
    ['(\\/?)\\((?!', 'a pattern of at most 2,000 characters'],
    ['\\[[^\\]]*\\](?:', 'a pattern of at most 2,000 characters'],
  ],
  'src/publication/store/content/redirects.ts': [
    ['^((?:https?', 'a target of at most 500 characters'],
  ],
  'src/base/text/json-places.ts': [['-?(?:0', 'tried at one place']],
  'src/settings/schemas.ts': [
    ['^(?:\\/(?!\\.{1,2}', 'a setting of the operator'],
    ['^\\/(?:(?:\\{', 'a setting of the operator'],
  ],
  'src/base/text/email.ts': [['^[\\p{L}\\p{N}](?:', 'the label of a domain, of at most 63 units']],
  'src/serve/contract/operations/admin-document.ts': [
    ['[^A-Za-z0-9]+', "the program's own operations"],
  ],
  'src/publication/store/webhooks/fill-template.ts': [
    ['\\{\\{ ?', 'a template has at most 16,384 units'],
  ],
  'src/publish/deploy/s3/metadata.ts': [['(?:^|\\/)content', 'the name of a file of the tree']],
  'src/pages/eleventy/project.ts': [['[\'"`]', "templates of the operator's own"]],
  'src/publish/deploy/purge/purge.ts': [
    ['^(?:(.*)\\/)?([^/]+)$', 'the name of a file of the tree'],
    ['^(?:(.*)\\/)?([^/]+)[.]json$', 'the name of a file of the tree'],
    ['^page-', 'the name of a file of the tree'],
  ],
  'src/content/paths/sidecars.ts': [['^((?:posts|pages', 'the name of a file of the tree']],
  'src/serve/server/log/request-log.ts': [['[^/]*(?:@', 'at most 200 units of a path']],
  'src/publication/store/sqlite/change-log.ts': [[';\\s*', "the program's own SQL"]],
};

type Node = { readonly type: string; readonly [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Calls `visit` with the node and all inside it. */
const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node);
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) walk(one, visit);
  }
};

const parsed = new Map<string, Node[]>();

const nodesOf = ({ text }: SourceFile): Node[] => {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const { code } = transformSync(text, { loader: 'ts' });
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const nodes: Node[] = [];
  walk(program as unknown as Node, (node) => {
    if (node.regex !== undefined || isNode(node.callee)) nodes.push(node);
  });
  parsed.set(text, nodes);
  return nodes;
};

type Expression = { readonly pattern: string; readonly flags: string };

const expressionsOf = (file: SourceFile): Expression[] =>
  nodesOf(file).flatMap(({ type, regex }) =>
    type === 'Literal' && regex !== undefined ? [regex as Expression] : [],
  );

/** Calls that make an expression of a text while the program runs. */
const expressionsMadeIn = (file: SourceFile): string[] =>
  nodesOf(file).flatMap((node) => {
    const callee = isNode(node.callee) ? node.callee : { type: '' };
    const [first] = Array.isArray(node.arguments) ? (node.arguments as Node[]) : [];
    const property = isNode(callee.property) ? String(callee.property.name) : '';
    const isMade = callee.type === 'Identifier' && callee.name === 'RegExp';
    const isText = isNode(first) && first.type !== 'Identifier' && first.regex === undefined;
    const takesPattern = ['match', 'matchAll', 'search'].includes(property) && isText;
    return isMade || takesPattern ? [`${file.path}: ${property || 'RegExp'}`] : [];
  });

const sources = readSources('src').filter(({ path }) => path.endsWith('.ts'));
const exceptionsOf = (path: string): readonly (readonly [string, string])[] =>
  EXCEPTIONS[path] ?? [];

test('each expression takes time that grows with its text alone', () => {
  const faults = sources.flatMap((file) =>
    expressionsOf(file).flatMap(({ pattern, flags }) => {
      const isListed = exceptionsOf(file.path).some(([start]) => pattern.startsWith(start));
      const fault = isListed ? null : findFault(pattern, flags);
      return fault === null ? [] : [`${file.path}: /${pattern}/${flags}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});

test('each exception is there, and is one', () => {
  const idle = Object.entries(EXCEPTIONS).flatMap(([path, listed]) => {
    const file = sources.find((one) => one.path === path);
    const found = file === undefined ? [] : expressionsOf(file);
    return listed
      .filter(
        ([start]) =>
          !found.some(
            ({ pattern, flags }) => pattern.startsWith(start) && findFault(pattern, flags) !== null,
          ),
      )
      .map(([start]) => `${path}: ${start}`);
  });
  expect(idle).toEqual([]);
});

test('no expression is made of a text', () => {
  // Of a grammar that has one way to read a path.
  const vetted = ['src/base/text/path-pattern.ts: RegExp'];
  expect(sources.flatMap(expressionsMadeIn)).toEqual(vetted);
  const made = ['new RegExp(a)', 'RegExp("a")', 'a.search("b")', 'a.match(`b`)', 'a.match(b + c)'];
  for (const text of made) expect(expressionsMadeIn({ path: 'x', text }), text).toHaveLength(1);
  expect(expressionsMadeIn({ path: 'x', text: 'a.match(/b/)' })).toEqual([]);
});

test('expressions that take longer than their texts are long are refused, and no plain one', () => {
  const slow = [
    ...[/([A-Za-z]+)\s*:\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g, /\[0,\[[^\]]*\],\d+,"[^"]/],
    ...[/(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})(?:\s*\([^)]*\))?$/, /<script\b[\s\S]*?(?:<\/script>|$)/gi],
    ...[/(a+)+b/, /^(a|a)*b/, /^(?:a|ab)*c/, /^a*a*b/, /^\w+\d+x/, /^(?:a?){2,}b/, /a*b/, /\s+$/],
    ...[/^x|\s+$/, /"[^"]*"/, /^a*$/m, /(?=a*b)c/, /(["'])a\1/, /^[^x]*?x?y/, /\p{L}+\p{Lu}x/u],
    ...[/\/+$/, /[a-m]+[N-Z]x/i],
  ];
  expect(slow.filter((one) => refusal(one) === null)).toEqual([]);
  const plain = [/^[a-z]+$/, /^a*b*c$/, /^(?:ab|cd)*e/, /<[a-z][^<>]*>/gi, /\s+/, /[&<>"]/g].concat(
    [/<!--\s*members[-_\s]*only(?![a-z0-9])/i, /^https?:\/\/[^\s/]+\/\S*$/, /^\p{L}+\p{N}$/u],
  );
  expect(plain.filter((one) => refusal(one) !== null)).toEqual([]);
});

const refusal = ({ source, flags }: RegExp): string | null => {
  try {
    return findFault(source, flags);
  } catch (error) {
    return String(error);
  }
};
