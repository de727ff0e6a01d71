import { expect, test } from 'vitest';
import { QUERY_HOSTS, resolveListPages } from '../../../../src/content/paths/list-pages.ts';
import { HOSTS } from '../../../../src/publish/hosts/hosts.ts';
import { ANSWERED_QUERIES } from '../../../../src/publish/hosts/rules/answered-queries.ts';

const CODE = ['cloudflare', 'nginx'];

test.each([
  ['auto', [], 1],
  ['auto', ['cloudflare'], 1],
  ['auto', ['cloudflare', 'nginx'], 1],
  ['auto', ['cloudflare', 'netlify'], 'all'],
  ['auto', ['cloudflare', 'a host that is unknown'], 'all'],
  ['all', ['cloudflare'], 'all'],
  [3, ['cloudflare'], 3],
  [1, [], 1],
] as const)('%s with the hosts %j is %s', (pages, hosts, expected) => {
  expect(resolveListPages(pages, { hosts, isDeployed: false }, CODE)).toBe(expected);
});

test('a target of a deploy may be any host', () => {
  expect(resolveListPages('auto', { hosts: [], isDeployed: true })).toBe('all');
});

test('without the list of a test, it asks for the hosts that run queries', () => {
  for (const { name } of HOSTS) {
    const served = { hosts: [name], isDeployed: true };
    expect(resolveListPages('auto', served)).toBe(QUERY_HOSTS.includes(name) ? 1 : 'all');
  }
});

test('every host that runs queries is a host', () => {
  const names: readonly string[] = HOSTS.map(({ name }) => name);
  expect(QUERY_HOSTS.filter((name) => !names.includes(name))).toEqual([]);
});

test('hosts that run queries are said to answer all, and no others', () => {
  const said = Object.entries(ANSWERED_QUERIES).filter(([, queries]) => queries === 'all');
  expect(said.map(([name]) => name).sort()).toEqual([...QUERY_HOSTS].sort());
});
