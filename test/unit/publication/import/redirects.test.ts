// Ghost's two forms of a file of redirects, and what of them is refused, with its line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compilePath } from '../../../../src/base/text/path-pattern.ts';
import { readRedirects } from '../../../../src/publication/import/redirects/read-redirects.ts';
import { parseRedirects } from '../../../../src/publication/store/content/redirects.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const read = (name: string, text: string) => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return readRedirects(file);
};

const refusal = (text: string): Promise<string> =>
  read('redirects.json', text).then(
    () => 'taken',
    ({ code, details }) =>
      `${code} ${details.map(({ problem }: { problem: string }) => problem).join('\n')}`,
  );

const asked = (from: string, to = '/to/'): string => JSON.stringify([{ from, to }]);

test('a file of either form gives the same redirects, in the order in which Ghost tries them', async () => {
  const json = `[
    {"from": "/b/", "to": "/c/"},
    {"from": "^\\\\/a\\\\/(.*)$", "to": "/x/$1", "permanent": true}
  ]`;
  const yaml = '301:\n  ^\\/a\\/(.*)$: /x/$1\n\n302:\n  /b/: /c/\n';
  const expected = [
    { from: '/b/', to: '/c/', permanent: false },
    { from: '^\\/a\\/(.*)$', to: '/x/$1', permanent: true },
  ];
  expect(await read('redirects.json', json)).toEqual(expected);
  expect(await read('redirects.yaml', yaml)).toEqual(expected);
  expect(await read('redirects.yaml', '301:\n302:\n')).toEqual([]);
});

test.each([
  ['(a+)+', 'nested repetitions'],
  ['^/(a|a)*$', 'a repeated choice'],
  ['^/([a-z]+)*$', 'a repeated group'],
  ['^/((a))$', 'a group in a group'],
  ['^/(.*)(.*)$', 'two pieces that pass slashes'],
  ['^/(.*)/x/(.*)$', 'two pieces that pass slashes, with a slash between them'],
  ['^/[a-z]+[a-z0-9]+$', 'repetitions side by side'],
  ['^/([a-z]+)(b)?[a-z]+$', 'repetitions side by side, without what is between'],
  ['^/([a-z]+)(/b)?[a-z]+$', 'the same, with a slash that may be absent'],
  ['^/(.*)a[a-z]+b$', 'a repetition in what passes slashes'],
  ['^/(?=x)', 'a look ahead'],
  ['^/(?<!x)y', 'a look behind'],
  ['^/(a)\\1', 'a back reference'],
  ['^/(?<name>a)', 'a named group'],
  ['^/[z-a]', 'a range that is backwards'],
  ['^/a{40}', 'too many repetitions'],
  ['^/a++', 'a possessive repetition'],
  ['^/\\bword', 'a word boundary'],
  ['^/(a|[b-c]+)/', 'a repetition in a choice'],
  ['^/a|b', 'a choice without a group'],
  ['^/(a', 'an open group'],
  ['^/a)', 'a closed group'],
  ['^/[[:alpha:]]', 'a class by name'],
  ['^/\\p{L}', 'a class of Unicode'],
  ['^/(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)$', 'a thousand ways through choices'],
  ['^/a?a?a?a?a?a?a?a?a?a?$', 'a thousand ways through letters that may be absent'],
  [`^/${'[a-z]{32}'.repeat(20)}$`, 'more than 2,000 characters when it is written out'],
  ['^/ß?x', 'a letter of several characters that may be absent'],
  ['old', 'no slash at the beginning'],
])('the pattern %s is refused: %s', async (from) => {
  expect(await refusal(asked(from))).toMatch(/^VALIDATION Line 1: the redirect from /);
});

test('a redirect from nothing is refused, with how one is written', async () => {
  expect(await refusal(asked(''))).toMatch(
    /^VALIDATION Line 1: the redirect has no "from", as in /,
  );
});

test.each([
  ['^/(.*)$', '//evil.example/$1'],
  ['^/(.*)$', 'https://$1/'],
  ['^/(.*)$', 'https://example.com$1'],
  ['^/a(.*)$', '/$1'],
  ['^/a(b|/c)$', '/$1'],
  ['^/a-([a-z]*)/b$', '/$1/evil.example'],
  ['^/a/?(.*)$', '/$1'],
  ['^/(.*)$', '/$1/evil.example'],
  ['^/x/(y)?z/(.*)$', '/$1/$2'],
  ['^/x/(y|)z(.*)$', '/$1$2'],
  ['^/a$', `/${'ü'.repeat(400)}`],
  ['^/(.*)$', 'javascript:alert(1)//$1'],
  ['^/(.*)$', 'https://user@evil.example/'],
  ['^/(.*)$', '\\\\evil.example'],
  ['^/(.*)$', '$1'],
  ['^/a$', '/$1'],
  ['^/a$', ''],
])('from %s, the target %s is refused', async (from, to) => {
  expect(await refusal(asked(from, to))).toMatch(/^VALIDATION Line 1: the redirect from /);
});

test.each([
  ['^/([^/]+)$', '/$1/x/'],
  ['/old-([^/]+)/?', '/$1'],
  ['^/old-(tide|kelp)$', '/$1/x/'],
  ['^/old-([a-z]*)$', '/$1'],
  ['^/old-(.*)$', 'https://example.com/$1'],
  ['^/(.*)/amp/$', '/$1/x/'],
  ['^/(y)?/(.*)$', '/$1/$2'],
  ['^/([a-z]*)/([^/]+)$', '/$1-$2/'],
  ['^/(a|b)(c|d)(e|f)(g|h)(i|j)(k|l)(m|n)(o|p)(q|r)$', '/'],
])('from %s, the target %s is taken', async (from, to) => {
  expect(await refusal(asked(from, to))).toBe('taken');
});

test('a stored text that is no list of redirects is an error with a code', () => {
  for (const text of ['{}', '[{"from": 7}]'])
    expect(() => parseRedirects(text, '')).toThrow(
      expect.objectContaining({ code: 'DATABASE_ALTERED' }),
    );
});

test('a target that a group could lead away is refused with the way to write it', async () => {
  expect(await refusal(asked('/old-(.*)', '/$1'))).toContain(
    'begins with $1, which may begin with a slash: write the whole address, such as https://example.com/$1',
  );
});

test.each([
  ['/blog/about/?a=b#c', { path: '/about/', query: '?a=b', hash: '#c' }],
  ['/blog', { path: '/' }],
  ['/blog?a=b', { path: '/', query: '?a=b' }],
  ['/blog/blog/', { path: '/blog/' }],
  ['/blog/$1', { path: '/$1' }],
  ['/blogger/x', { path: '/blogger/x' }],
  ['/about/', { path: '/about/' }],
  ['https://example.com/blog/', { path: 'https://example.com/blog/' }],
])('below /blog, the target %s has the base path once', (to, target) => {
  const [redirect] = parseRedirects(
    JSON.stringify([{ from: '^/s/(.*)$', to, permanent: true }]),
    '/blog',
  );
  expect(redirect?.target).toEqual({ query: '', hash: '', ...target });
});

test('all that is wrong is named with its line, and bounds hold', async () => {
  const text = '[\n{"from": "/a/", "to": "/b/"},\n{"from": "(x+)+", "to": "/c/"},\n7\n]';
  const said = await refusal(text);
  expect(said).toMatch(/Line 3: the redirect from "\(x\+\)\+" does not begin/);
  expect(said).toMatch(/Line 4: the redirect has no "from", as in/);
  expect(said).not.toContain('Line 2');
  for (const [broken, what] of [
    ['[\n{"from": ]', 'line 2: the indentation is wrong, or a bracket is not closed'],
    ['301:\n\t/a/: /b/', 'line 2: indent with spaces, not with a tab'],
    ['301: /a/: /b/', 'line 1: a value with a colon needs quotation marks'],
    ['{"from": "/a/"}', "redirects.json is in neither of Ghost's redirect formats"],
  ] as const)
    await expect(read('redirects.json', broken)).rejects.toThrow(what);
  expect(await refusal(asked(`/${'a'.repeat(500)}`))).toContain('more than 500 characters');
  const many = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ from: `/${at}/`, to: '/b/' })));
  expect(await refusal(many(2_000))).toBe('taken');
  expect(await refusal(many(2_001))).toContain('2000 are kept at most');
  await expect(read('a.json', `[]${' '.repeat(1024 * 1024)}`)).rejects.toThrow('1048576 bytes');
  await expect(readRedirects('/nowhere/redirects.json')).rejects.toMatchObject({
    code: 'IMPORT_UNREADABLE',
  });
  // Aliases of YAML that grow without end name no text.
  const bomb = `a: &a [x]\nb: &b [*a, *a]\n301:\n  /x/: *b\n`;
  await expect(read('redirects.yaml', bomb)).rejects.toMatchObject({
    details: ['Line 1: "a"', 'Line 2: "b"', 'Line 4: '].map((line) => ({
      problem: expect.stringContaining(line),
    })),
  });
});

test.each([
  ['301:\n  /a/:/b/\n  /c/:/d/', 'Line 1: "301" needs lines such as'],
  ['301:\n  - /a/: /b/', 'Line 1: "301" needs lines such as'],
  ['302: true\n301:\n  /a/: /b/', 'Line 1: "302" needs lines such as'],
  ['301:\n  /a/: /b/\n/c/: /d/', 'Line 3: "/c/" is neither 301 nor 302: indent'],
  ['301:\n  /a/: /b/\n308:\n  /c/: /d/', 'Line 3: "308" is neither 301 nor 302'],
  ['{"301": "/a/ /b/"}', 'Line 1: "301" needs lines such as'],
])('what stands where no redirect can is refused: %j', async (text, problem) => {
  expect(await refusal(text)).toContain(problem);
});

test('a stored line that is refused now is left out alone', () => {
  const kept = JSON.stringify([
    { from: '(a+)+', to: '/', permanent: true },
    { from: '^/blog/(.*)$', to: '/$1/', permanent: false },
    { from: '/a/', to: '/b/', permanent: true },
  ]);
  expect(parseRedirects(kept, '').map(({ from }) => from)).toEqual(['/a/']);
});

test('a path that ends with /i is no mark without something before it', () => {
  const lines = JSON.stringify([{ from: '/i', to: '/x/', permanent: false }]);
  const [redirect] = parseRedirects(lines, '');
  expect(
    ['/', '/i', '/i/'].filter((path) => compilePath(redirect?.source ?? '').test(path)),
  ).toEqual(['/i', '/i/']);
});
