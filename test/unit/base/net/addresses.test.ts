import { describe, expect, test } from 'vitest';
import { isForbidden, parseAllowList } from '../../../../src/base/net/addresses.ts';
import { hostPort } from '../../../../src/base/net/host-port.ts';
import { createTargetVetter, vetTarget, vetUrl } from '../../../../src/base/net/vet-target.ts';
import { checkRows } from '../../../helpers/check-rows.ts';

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

const FORBIDDEN = wordsOf(`
  0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1
  203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:7f00:1
  ::ffff:127.0.0.1 ::ffff:0:7f00:1 ::5efe:7f00:1 2001:4860::5efe:7f00:1
  2001:4860::200:5efe:a00:1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 2002:7f00:1::
  2001:0:7f00:1:: 2001:db8::1 3fff::1 100::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo fec0::1
  ff02::1 5f00::1 3ffe::1 168.63.129.16 4000::1 localhost 2130706433 127.1
`);

const PUBLIC = wordsOf(`
  1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8
  64:ff9b::808:808
`);

test('each address is forbidden, or public', () => {
  expect([...FORBIDDEN, ''].filter((address) => !isForbidden(address))).toEqual([]);
  expect(PUBLIC.filter(isForbidden)).toEqual([]);
});

const LITERALS = wordsOf(`
  http://[::7f00:1]/ http://[::ffff:0:7f00:1]/ http://[::5efe:7f00:1]/
  http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://[fec0::1]/ http://[fd00:ec2::254]/
  http://[5f00::1]/ http://0/ http://0x7f.1/ http://017700000001/ http://2130706433/
  http://127.1/ http://①②⑦.⓪.⓪.①/ http://127.0.0.1./ http://169.254.169.254/latest/meta-data/
  http://user@8.8.8.8/ http://user:pass@8.8.8.8/ http://8.8.8.8:0/ http://8.8.8.8:22/
  http://8.8.8.8:25/ ftp://8.8.8.8/ file:///etc/passwd javascript:alert(1) /relative
  http://[127.0.0.1]/ http://[::1%lo]/
`);

const nobody = parseAllowList([]);
const never = async (): Promise<string[]> => {
  throw new Error('DNS must not be asked');
};

test('literals are judged without DNS', () =>
  checkRows(LITERALS, async (url) => {
    const vetted = await vetTarget(url, { allow: nobody, resolve: never });
    expect(vetted.isAllowed).toBe(false);
  }));

describe('names', () => {
  const vet = (url: string, answers: string[], allow: string[] = []) =>
    vetTarget(url, { allow: parseAllowList(allow), resolve: async () => answers });

  test('every answer is vetted, and only vetted ones are given back', async () => {
    expect(await vet('https://hook.test/', ['8.8.8.8', '2606:4700::1111'])).toMatchObject({
      isAllowed: true,
      addresses: ['8.8.8.8', '2606:4700::1111'],
    });
    expect(await vet('https://hook.test/', ['8.8.8.8', '10.0.0.1'])).toMatchObject({
      isAllowed: false,
    });
    expect(await vet('https://hook.test/', [])).toMatchObject({ isAllowed: false });
    expect(await vet('http://localhost./', ['127.0.0.1'])).toMatchObject({ isAllowed: false });
  });

  test('ranges, addresses and hosts can be allowed, and nothing beside them', async () => {
    const allowed = async (url: string, answers: string[], allow: string[]) =>
      (await vet(url, answers, allow)).isAllowed;
    expect(await allowed('http://hook.test/', ['127.0.0.1'], ['127.0.0.0/8'])).toBe(true);
    expect(await allowed('http://hook.test/', ['127.0.0.1', '10.0.0.1'], ['127.0.0.0/8'])).toBe(
      false,
    );
    expect(await allowed('http://hook.test/', ['::ffff:127.0.0.1'], ['127.0.0.0/8'])).toBe(true);
    expect(await allowed('http://[::1]:3000/', [], ['::1'])).toBe(true);
    expect(await allowed('http://[::1]:3000/', [], ['[::1]'])).toBe(true);
    expect(await allowed('http://hooks.internal/', ['10.0.0.1'], ['Hooks.Internal'])).toBe(true);
    expect(await allowed('http://hooks.internal./', ['10.0.0.1'], ['hooks.internal'])).toBe(true);
    expect(await allowed('http://x.hooks.internal/', ['10.0.0.1'], ['hooks.internal'])).toBe(false);
    expect(await allowed('http://127.0.0.1:22/', [], ['127.0.0.0/8'])).toBe(false);
    const host = 'hooks.internal';
    for (const [url, entry, is] of [
      [`http://${host}:8080/`, `${host}:8080`, true],
      [`http://${host}/`, `${host}:8080`, false],
      [`https://${host}/`, `${host}:443`, true],
      ['http://10.0.0.1/', '10.0.0.0/8:80', true],
      ['http://10.0.0.1:81/', '10.0.0.0/8:80', false],
      ['http://[::1]:3000/', '[::1]:3000', true],
      ['http://[::1]:3001/', '[::1]:3000', false],
    ] as const) {
      expect([url, entry, await allowed(url, ['10.0.0.1'], [entry])]).toEqual([url, entry, is]);
    }
  });

  test.each(['localhost.', 'foo.localhost', 'ip6-localhost'])(
    '%s is this machine, also when no resolver knows it',
    async (host) => {
      const vetLocal = (allow: string[]) =>
        vetTarget(`http://${host}:3000/`, { allow: parseAllowList(allow), resolve: never });
      expect(await vetLocal([])).toMatchObject({ isAllowed: false });
      expect(await vetLocal(['127.0.0.0/8'])).toMatchObject({ isAllowed: true });
    },
  );

  test('a name that cannot be resolved is no refusal', async () => {
    await expect(vetTarget('http://x.test/', { allow: nobody, resolve: never })).rejects.toThrow();
  });
});

test('a good form needs no DNS', () => {
  expect(vetUrl('https://example.com/hook?x=1')).toMatchObject({ isAllowed: true });
});

test('the vetter of use cases gives a sentence or null', async () => {
  const vet = createTargetVetter(['127.0.0.0/8'], never);
  expect(await vet('http://127.0.0.1:3000/')).toBeNull();
  expect(await vet('http://10.0.0.1/')).toMatch(/private/);
  expect(await vet('http://not-there.test/')).toBeNull();
});

test('an IPv6 address has brackets before its port', () => {
  const places = ['::1', '127.0.0.1', 'localhost'].map((host) => hostPort({ host, port: 80 }));
  expect(places).toEqual(['[::1]:80', '127.0.0.1:80', 'localhost:80']);
});
