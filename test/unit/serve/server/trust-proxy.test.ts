// Whose failures are counted together behind proxies: those of the address that a trusted proxy saw.
import { expect, test } from 'vitest';
import { serve } from './harness.ts';

const LIMIT = 20;

/** How many of 30 failed requests with these values of X-Forwarded-For are limited. */
const countLimited = async (
  trustProxy: unknown,
  forwardedFor: (at: number) => string | undefined,
): Promise<number> => {
  const { get } = await serve({ flags: { trustProxy, authFailuresMax: LIMIT } });
  let limited = 0;
  for (let at = 0; at < 30; at += 1) {
    const value = forwardedFor(at);
    const headers = value === undefined ? {} : { 'x-forwarded-for': value };
    const { status } = await get('/admin/posts/', { headers });
    expect([401, 429]).toContain(status);
    if (status === 429) limited += 1;
  }
  return limited;
};

/** What one client sends through one proxy, which adds the address that it saw. */
const forged = (at: number): string => `203.0.113.${at}, 198.51.100.7`;
const forgedTwice = (at: number): string => `203.0.113.${at}, 192.0.2.${at}, 198.51.100.7`;
const clients = (at: number): string => `198.51.100.${at}`;

test.each([
  ['one proxy, and a client that forges the rest', 1, forged, 10],
  ['one proxy by its address', '127.0.0.1', forged, 10],
  ['one proxy by its network', '10.0.0.0/8, 127.0.0.0/8', forgedTwice, 10],
  ['one proxy, many clients', 1, clients, 0],
  ['a proxy that adds ports', 1, (at) => `198.51.100.7:${1_000 + at}`, 10],
  ['a proxy that adds ports to IPv6', 1, (at) => `[2001:db8::7]:${1_000 + at}`, 10],
  ['one network of IPv6', 1, (at) => `2001:db8:0:1::${at.toString(16)}`, 10],
  ['networks of IPv6', 1, (at) => `2001:db8:0:${at.toString(16)}::1`, 0],
  ['a proxy that passes on what is no address', 1, (at) => `client-${at}`, 10],
  ['two forms of one address', 1, (at) => (at % 2 ? '198.51.100.7' : '::ffff:198.51.100.7'), 10],
  ['two proxies, the farther one told by the nearer', 2, (at) => `198.51.100.7, 10.0.0.${at}`, 10],
  ['two proxies, many clients', 2, (at) => `${clients(at)}, 10.0.0.1`, 0],
  ['two proxies by their networks', '127.0.0.1,10.0.0.0/8', (at) => `${forged(at)}, 10.0.0.1`, 10],
  ['a proxy that is not among the trusted', '10.0.0.0/8', clients, 10],
  ['no proxy', 'false', clients, 10],
  ['one proxy, no header', 1, () => undefined, 10],
] satisfies [string, unknown, (at: number) => string | undefined, number][])(
  '%s',
  async (_, trustProxy, forwardedFor, limited) => {
    expect(await countLimited(trustProxy, forwardedFor)).toBe(limited);
  },
);
