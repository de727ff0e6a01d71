import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const load = (options: Parameters<typeof loadConfig>[0] = {}) =>
  loadConfig({ environment: {}, ...options });

test('flags win over the environment, the environment over the file, the file over defaults', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, JSON.stringify({ port: 1, host: 'a', lists: { posts: { limit: 5 } } }));
  const config = load({
    file,
    environment: { PREPRESS_PORT: '2', PREPRESS_HOST: 'b' },
    flags: { port: '3' },
  });
  expect(config.port).toBe(3);
  expect(config.host).toBe('b');
  expect(config['lists.posts.limit']).toBe(5);
  expect(config.output).toBe('output');
  expect(Object.isFrozen(config)).toBe(true);
});

test.each([
  [{ PREPRESS_PORT: 'http' }, 'port'],
  [{ PREPRESS_SITE_URL: 'example.com' }, 'siteUrl'],
  [{ PREPRESS_SITE_URL: 'ftp://example.com' }, 'siteUrl'],
  [{ PREPRESS_BASE_PATH: '/../x' }, 'basePath'],
  [{ PREPRESS_LISTS_POSTS_LIMIT: '0' }, 'lists.posts.limit'],
  [{ PREPRESS_PERMALINKS: '/{nope}/' }, 'permalinks'],
])('%j is refused with the name of the setting', (environment, property) => {
  expect(() => load({ environment })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', property }),
  );
});

test.each([
  [{ flags: { port: 'http' } }, 'Setting port (--port): must be a whole number from 0 to 65535.'],
  [{ flags: { siteUrl: 'x' } }, 'Setting siteUrl (--site-url): must be an absolute http or https'],
  [
    { environment: { PREPRESS_CONTENT_KEY: 'no' } },
    'Setting contentKey (PREPRESS_CONTENT_KEY): must be one of required, optional.',
  ],
])('%j is refused in words of its own', (options, sentence) => {
  expect(() => load(options)).toThrow(sentence);
});

test('a setting that does not exist, broken JSON and an absent named file are refused', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, '{"prot": 1}');
  expect(() => load({ file })).toThrow(/prot/);
  writeFileSync(file, '{');
  expect(() => load({ file })).toThrow(/not readable JSON/);
  expect(() => load({ file: `${file}.absent` })).toThrow(/no settings file/);
});

test('addresses lose their trailing slash, lists are split, flags are read', () => {
  const config = load({
    environment: {
      PREPRESS_SITE_URL: 'https://example.com/blog/',
      PREPRESS_BASE_PATH: '/blog/',
      PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8, hooks.internal',
      PREPRESS_TRUST_PROXY: '10.0.0.0/8, ::1',
    },
  });
  expect(config.siteUrl).toBe('https://example.com/blog');
  expect(config.basePath).toBe('/blog');
  expect(config.webhookAllow).toEqual(['127.0.0.0/8', 'hooks.internal']);
  expect(config.trustProxy).toEqual(['10.0.0.0/8', '::1']);
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
