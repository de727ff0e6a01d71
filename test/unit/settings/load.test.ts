import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PrepressError } from '../../../src/base/errors.ts';
import { HOSTS } from '../../../src/publish/hosts/hosts.ts';
import { HOST_NAMES } from '../../../src/settings/host-names.ts';
import { loadConfig } from '../../../src/settings/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const load = (options: Parameters<typeof loadConfig>[0] = {}) =>
  loadConfig({ environment: {}, ...options });

test('flags win over the environment, the environment over the file, the file over defaults', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, JSON.stringify({ port: 1, host: 'a', lists: { max: 5 } }));
  const config = load({
    file,
    environment: { PREPRESS_PORT: '2', PREPRESS_HOST: 'b' },
    flags: { port: '3' },
  });
  expect(config.port).toBe(3);
  expect(config.host).toBe('b');
  expect(config['lists.max']).toBe(5);
  expect(config.output).toBe('output');
  expect(Object.isFrozen(config)).toBe(true);
});

test.each<[Record<string, string>, string, string?]>([
  [
    { PREPRESS_PORT: 'http' },
    'port',
    ' (PREPRESS_PORT): must be a whole number from 0 to 65535, got "http".',
  ],
  [
    { PREPRESS_CONTENT_KEY: 'no' },
    'contentKey',
    ' (PREPRESS_CONTENT_KEY): must be one of required, optional, got "no".',
  ],
  [{ PREPRESS_SITE_URL: 'example.com' }, 'siteUrl'],
  [{ PREPRESS_ADMIN_URL: 'https://desk.test/desk/' }, 'adminUrl'],
  [{ PREPRESS_SITE_URL: 'ftp://example.com' }, 'siteUrl'],
  [{ PREPRESS_BASE_PATH: '/../x' }, 'basePath'],
  [{ PREPRESS_LISTS_MAX: '0' }, 'lists.max'],
  [{ PREPRESS_KEEP_REPLACED_HOURS: '' }, 'keepReplacedHours'],
  [
    { PREPRESS_PREVIEW_LINKS: 'https://x.test/' },
    'previewLinks',
    ' (PREPRESS_PREVIEW_LINKS): must be off, on, or an address with {token} in it, such as https://example.com/api/preview?uuid={uuid}&token={token}, got "https://x.test/".',
  ],
  [{ PREPRESS_LISTS_MAX: '100001' }, 'lists.max'],
  [{ PREPRESS_LISTS_PAGES: 'some' }, 'lists.pages'],
  [{ PREPRESS_LISTS_PAGES: '0' }, 'lists.pages'],
  [{ PREPRESS_PERMALINKS: '/{nope}/' }, 'permalinks'],
  [{ PREPRESS_OTHER_QUERIES: 'pass' }, 'otherQueries'],
  [{ PREPRESS_OTHER_QUERIES: 'https://content.example.com/a;b' }, 'otherQueries'],
  [{ PREPRESS_OTHER_QUERIES: 'https://content.example.com/$uri' }, 'otherQueries'],
  [{ PREPRESS_OTHER_QUERIES: 'https://content.example.com/a%20b' }, 'otherQueries'],
  [{ PREPRESS_OTHER_QUERIES: 'https://content;example.com' }, 'otherQueries'],
  [{ PREPRESS_OTHER_QUERIES: 'https://$host' }, 'otherQueries'],
])('%j is refused with the name of the setting', (environment, property, words = '') => {
  const message = expect.stringContaining(`Setting ${property}${words}`);
  expect(() => load({ environment })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', property, message }),
  );
});

test('a flag that is refused is named as it is written', () => {
  expect(() => load({ flags: { siteUrl: 'x' } })).toThrow(
    'Setting siteUrl (--site-url): must be an absolute http or https',
  );
});

test('an address to listen on may be an IPv6 address in brackets', () => {
  const read = (metrics: string) => load({ environment: { PREPRESS_METRICS: metrics } }).metrics;
  expect(read('[::1]:9470')).toEqual({ host: '::1', port: 9470 });
  expect(read('localhost:9470')).toEqual({ host: 'localhost', port: 9470 });
  for (const wrong of ['::1:9470', '[1.2.3.4]:9470', '[::g]:9470', '[]:9470'])
    expect(() => read(wrong), wrong).toThrow('must be HOST:PORT, such as 127.0.0.1:9464');
});

test('a setting that does not exist, broken JSON and an absent named file are refused', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, '{"prot": 1}');
  expect(() => load({ file })).toThrow(/prot/);
  writeFileSync(file, '[1]');
  expect(() => load({ file })).toThrow(/must hold one JSON object/);
  expect(() => load({ file: `${file}.absent` })).toThrow(/no settings file/);
});

const faultOf = (work: () => unknown): PrepressError => {
  try {
    work();
  } catch (error) {
    if (error instanceof PrepressError) return error;
  }
  throw new Error('It was not refused.');
};

const withFile = (text: string): { readonly file: string } => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, text);
  return { file };
};

test('a setting that had another name is read by it, and declared queries are refused', () => {
  const url = 'https://content.example.com';
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(load(withFile(`{"undeclared": "${url}"}`)).otherQueries).toBe(url);
  expect(load({ environment: { PREPRESS_UNDECLARED: url } }).otherQueries).toBe(url);
  expect(said.mock.calls[0]).toEqual([
    expect.stringMatching(/^prepress: The setting undeclared is called otherQueries now; .*\n$/),
  ]);
  said.mockRestore();
  for (const text of ['{"queries": []}', '{"queries": {"posts": []}}'])
    expect(faultOf(() => load(withFile(text))).message).toMatch(
      /"queries[.a-z]*"\. .*prepress-content\/client.*otherQueries/,
    );
});

test('all settings at fault are named at once', () => {
  const { file } = withFile('{"prot": 1, "profile": "small", "permalinks": 3}');
  const environment = { PREPRESS_PORT: 'http', PREPRESS_SITEURL: 'https://site.test' };
  const { message, details } = faultOf(() => load({ file, environment }));
  expect(message).toBe('5 settings cannot be used.');
  expect(details).toEqual([
    { sentence: `${file} names a setting that does not exist: "prot". Did you mean port?` },
    {
      sentence:
        'The variable PREPRESS_SITEURL belongs to no setting. Did you mean PREPRESS_SITE_URL?',
    },
    { sentence: expect.stringContaining('Setting port (PREPRESS_PORT): must be') },
    { sentence: expect.stringContaining('Setting permalinks') },
    { sentence: expect.stringContaining('Setting profile') },
  ]);
});

test.each([
  ['lists.page', 'lists.pages'],
  ['SITE_URL', 'siteUrl'],
  ['acceptAll', null],
  ['images.widths', null],
  ['title', null],
])('the file says %s: %s is meant', (name, meant) => {
  const { file } = withFile(JSON.stringify({ [name]: 1 }));
  const { message } = faultOf(() => load({ file }));
  expect(message).toContain(`: "${name}".`);
  if (meant === null)
    expect(message).toMatch(name === 'title' ? /the desk\.$/ : /docs\/settings\.md/);
  else expect(message).toContain(`Did you mean ${meant}?`);
});

test.each(['posts', 'pages', 'tags', 'authors'])('a limit of %s alone is refused', (resource) => {
  const { file } = withFile(JSON.stringify({ lists: { [resource]: { limit: 5 } } }));
  const inFile = `${file} names a setting that does not exist: "lists.${resource}.limit".`;
  expect(faultOf(() => load({ file })).message).toBe(`${inFile} lists.max limits all lists.`);
  const variable = `PREPRESS_LISTS_${resource.toUpperCase()}_LIMIT`;
  expect(faultOf(() => load({ environment: { [variable]: '5' } })).message).toBe(
    `The variable ${variable} belongs to no setting. PREPRESS_LISTS_MAX limits all lists.`,
  );
});

test('a variable that no setting has is refused; those of the tests are left alone', () => {
  expect(() => load({ environment: { PREPRESS_COLOUR: '1' } })).toThrow(
    'The variable PREPRESS_COLOUR belongs to no setting. docs/settings.md lists the settings.',
  );
  load({ environment: { PREPRESS_BATTERY: 'long', PREPRESS_TEST_RUNS: '3', OTHER: '1' } });
  load({
    environment: { PREPRESS_SERVICE_HOST: '10.0.0.1', PREPRESS_PORT_4000_TCP_ADDR: '10.0.0.1' },
  });
});

test.each([
  ['{', 1, 2, 'a name in double quotes, the file ends'],
  ['{\n  "port": 1\n  "host": "a"\n}', 3, 3, '"," or "}", found "\\""'],
  ['{\n  "port": 1,\n}', 3, 1, 'a name in double quotes, found "}"'],
  ["{'port': 1}", 1, 2, 'a name in double quotes, found "\'"'],
  ['{"port" 1}', 1, 9, '":", found "1"'],
  ['{"port": 01}', 1, 11, '"," or "}", found "1"'],
  ['{"a": [1, tru]}', 1, 11, 'a value, found "t"'],
  ['{"a": "x\ny"}', 1, 9, 'a double quote that ends the text, found "\\n"'],
  ['{"a": "\\x"}', 1, 8, 'an escape such as \\n or \\\\, found "\\\\"'],
  ['{} {}', 1, 4, 'the end of the file, found "{"'],
])('%j is refused with its place', (text, line, column, reason) => {
  const { file } = withFile(text);
  expect(faultOf(() => load({ file })).message).toBe(
    `${file} is not valid JSON: line ${line}, column ${column}: expected ${reason}.`,
  );
});

test('a byte order mark before the settings is no fault', () => {
  expect(load(withFile('\ufeff{"port": 1}')).port).toBe(1);
});

test('passwords and e-mail addresses are not quoted', () => {
  for (const [name, value] of [
    ['PREPRESS_SMTP', 'http://user:5ecret@host'],
    ['PREPRESS_SMTP', 'smtp:/user:5ecret@host'],
    ['PREPRESS_SMTP', 'smtp:///user:5ecret@host'],
    ['PREPRESS_OWNER_EMAIL', 'me@@site.test'],
    ['PREPRESS_SITE_URL', 'ftp://me:5ecret@host'],
  ] as const) {
    expect(faultOf(() => load({ environment: { [name]: value } })).message).not.toContain(value);
  }
});

test('siteUrl ends with basePath where there are pages, whose links begin with it', () => {
  const siteUrl = 'https://example.com';
  const flags = { siteUrl, basePath: '/blog' };
  expect(faultOf(() => load({ flags: { ...flags, site: true } })).message).toBe(
    'Setting siteUrl: with HTML pages ("site": true) it must end with basePath, such as https://example.com/blog, got "https://example.com".',
  );
  expect(load({ flags }).siteUrl).toBe(siteUrl);
  expect(load({ flags: { ...flags, siteUrl: `${siteUrl}/blog/`, site: true } }).site).toBe(true);
});

test('addresses lose their trailing slash, lists are split, flags are read', () => {
  const config = load({
    environment: {
      PREPRESS_SITE_URL: 'https://example.com/blog/',
      PREPRESS_BASE_PATH: '/blog/',
      PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8, hooks.internal',
      PREPRESS_TRUST_PROXY: '10.0.0.0/8, ::1',
      PREPRESS_OTHER_QUERIES: 'https://content.example.com/',
    },
  });
  expect(config.otherQueries).toBe('https://content.example.com');
  expect(config.siteUrl).toBe('https://example.com/blog');
  expect(config.basePath).toBe('/blog');
  expect(config.webhookAllow).toEqual(['127.0.0.0/8', 'hooks.internal']);
  expect(config.trustProxy).toEqual(['10.0.0.0/8', '::1']);
});

test('quotation marks around the whole value of a variable do not count', () => {
  const quoted = { PREPRESS_OUTPUT: '"my output"', PREPRESS_PORT: "'81'", PREPRESS_MEDIA: 'a"b"' };
  expect(load({ environment: quoted })).toMatchObject({
    output: 'my output',
    port: 81,
    media: 'a"b"',
  });
});

test('trusted proxies are a number or addresses, never all', () => {
  const read = (text: string): unknown =>
    load({ environment: { PREPRESS_TRUST_PROXY: text } }).trustProxy;
  expect(['false', '0', '1', '2'].map(read)).toEqual([false, false, 1, 2]);
  expect(read('192.0.2.1')).toEqual(['192.0.2.1']);
  const refused = ['true', '', '-1', '101', '1.5', 'proxy.internal', '10.0.0.0/33', '0.0.0.0/0'];
  for (const text of [...refused, '10.0.0.0/8,true', '::/129', 'loopback']) {
    expect(() => read(text), text).toThrow(
      /^Setting trustProxy .*must be the number of proxies before this server, or a list of their addresses/,
    );
  }
  const fromFile = (value: unknown): unknown => {
    const file = join(temporaryFolder(), 'settings.json');
    writeFileSync(file, JSON.stringify({ trustProxy: value }));
    return load({ file }).trustProxy;
  };
  expect(fromFile(1)).toBe(1);
  expect(fromFile(['10.1.0.0/16'])).toEqual(['10.1.0.0/16']);
  expect(() => fromFile(true)).toThrow(/number of proxies/);
});

test('a place of pictures may be an object, as a target of deploys', () => {
  const file = join(temporaryFolder(), 'settings.json');
  const media = { target: 's3://pictures/a', endpoint: 'https://s3.example.com', region: 'eu' };
  writeFileSync(file, JSON.stringify({ media }));
  expect(load({ file }).media).toMatchObject({ target: 's3://pictures/a', region: 'eu' });
});

test.each([
  [{ output: '.' }, 'output'],
  [{ output: 'data' }, 'output'],
  [{ output: '/' }, 'output'],
  [{ media: 'data' }, 'media'],
  [{ media: '.' }, 'media'],
  [{ media: 'output' }, 'output and media'],
  [{ media: 'output/content' }, 'output and media'],
  [{ output: 'media/x' }, 'output and media'],
  [{ database: 'publication.db', output: '.' }, 'output'],
])('places that are not apart are refused: %j', (flags, named) => {
  expect(() => load({ flags })).toThrow(new RegExp(`${named}:|settings cannot be used`));
});

test.each([
  { database: 'publication.db' },
  { database: 'site/db.sqlite', output: 'site/output' },
  { output: 'data/output', media: 'data/media' },
  { output: 'data-2' },
])('places that are apart: %j', (flags) => {
  expect(load({ flags })).toMatchObject(flags);
});

test.each([
  ['siteUrl', 'https://user:word@site.test', /must have no user, password, query/],
  ['siteUrl', 'https://:word@site.test', /must have no user, password, query/],
  ['siteUrl', 'https://site.test/?a=1', /must have no user, password, query/],
  ['siteUrl', 'https://site.test/#top', /must have no user, password, query/],
  ['siteUrl', 'https://site.test/a\tb', /must have no user, password, query/],
  ['adminUrl', 'https://site.test/\u0085', /must have no user, password, query/],
  ['readback', 'https://user@site.test', /must have no user, password, query/],
  ['webhookAllow', '10.0.0.0/33', /must be addresses, networks/],
  ['webhookAllow', '10.0.0.0/x', /must be addresses, networks/],
  ['webhookAllow', '10.0.0', /must be addresses, networks/],
  ['webhookAllow', '10.0.0.1/8/8', /must be addresses, networks/],
  ['webhookAllow', 'http://hook.test', /must be addresses, networks/],
  ['hosts', 'nginx,ngnix', /There is no host "ngnix". Did you mean nginx\? The .* plain-files\.$/],
  ['otherQueries', 'https://user:word@site.test', /must have no user, password, query/],
  ['output', 'output\r', /must have no control character, .* got "output\\r"\.$/],
  ['precompress', true, /must be some of br, gzip, got true\.$/],
  ['variants', 600, /must be some of index, authors, .*, got 600\.$/],
  ['hosts', [1], /must be a list of names, got \[1\]\.$/],
  ['webhookAllow', [1], /must be addresses, networks .*, got \[1\]\.$/],
  ['deploy', {}, /target 1 cannot be used: target is missing\.$/],
  ['deploy', { to: '/srv' }, /: "to" is not a part of a target; its parts are target, endpoint/],
  ['deploy', 'dir:/a dir:/b', /target 1 cannot be used: .*; write several as a list/],
  ['deploy', 'dir:/a,/b', /target 1 cannot be used: .*; write several as a list/],
  [
    'deploy',
    'dir:~/www',
    /target 1 cannot be used: it must be written in full: only shells expand ~/,
  ],
  ['media', '~/pictures', /must be written in full: only shells expand ~/],
  ['output', 's3://bucket/site', /must be a path without "dir:" or "s3:\/\/" before it/],
  ['media', '{"target": "s3://bucket"', /must be a folder, s3:\/\/bucket\/prefix, or an object/],
  ['database', 'publication.db\r', /must have no control character/],
  ['data', 'data\u0085', /must have no control character/],
  ['media', 'media\r', /must have no control character/],
  ['hostRoot', '/srv/www\r', /must have no control character/],
  ['follow', 'mysql://user:word@site.test/a\r', /must have no control character/],
  ['follow', true, /must be text, got true\.$/],
  ['mailFrom', 'Site <a@site.test>', /must be an e-mail address alone, without a name, such as n/],
  ['followImages', 'content\n', /must have no control character/],
  ['deploy', 'dir:/srv/www\r', /target 1 cannot be used: it must have no control character/],
  ['deploy', 'exec:npx deploy\r', /target 1 cannot be used: it must have no control character/],
])('%s may not be %j', (name, value, reason) => {
  const { message, code, property } = faultOf(() => load({ flags: { [name]: value } }));
  expect([code, property]).toEqual(['CONFIG_INVALID', name]);
  expect(message).toMatch(reason);
  expect(message).not.toContain('word@');
});

test('addresses, networks and names of hosts may be reached by webhooks', () => {
  const all = [
    '10.0.0.0/8',
    '::1/128',
    '127.0.0.1',
    '[::1]',
    'hook.test.',
    'my_service',
    '3com.com',
  ];
  expect(load({ flags: { webhookAllow: all.join(',') } }).webhookAllow).toEqual(all);
});

test('the hosts of the setting are the hosts that there are', () => {
  const names = HOSTS.map(({ name }) => name);
  expect(names, 'src/settings/host-names.ts, in the order of src/publish/hosts/hosts.ts').toEqual(
    HOST_NAMES,
  );
});

test.each([
  ['{\n  "port": 1,\n  "port": 2\n}', 'port', 3],
  ['{"lists": {"max": 1},\n\n"lists.max": 2}', 'lists.max', 3],
  ['{"lists": {"max": 1},\n"lists": {"pages": 2}}', 'lists', 2],
  ['{"hosts": [],\n"h\\u006fsts": ["nginx"]}', 'hosts', 2],
])('a name that the file has twice is refused: %j', (text, name, line) => {
  const { file } = withFile(text);
  expect(faultOf(() => load({ file })).message).toBe(
    `${file} names "${name}" a second time in line ${line}.`,
  );
});

test('names of different objects are not the same', () => {
  const { file } = withFile(
    '{"lists": {"max": 5}, "deploy": [{"target": "dir:/a"}, {"target": "dir:/b"}], "port": 1}',
  );
  expect(load({ file }).port).toBe(1);
});
