// The address that caps count a request for, known before the router makes a request of its own: the first one
// that is no trusted proxy, from the nearest on, as Fastify's request.ip.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { clientNetwork } from '../../../base/net/addresses.ts';
import type { TrustedProxies } from '../../../settings/trusted-proxies.ts';

/** `hop` is 0 for the peer, 1 for the one before it, and so on. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** Under what a connection is counted; null for one that is not: from this machine, or of a trusted proxy. */
export const cappedPeer = (peer: string, isTrusted: TrustProxy): string | null =>
  isTrusted(peer, 0) || LOOPBACK.test(peer) ? null : clientOf(peer);

/** Null for a request that is not capped: from this machine, or of a trusted proxy itself. */
export const cappedAddress = (request: IncomingMessage, isTrusted: TrustProxy): string | null => {
  const { remoteAddress: peer = '' } = request.socket;
  if (!isTrusted(peer, 0)) return LOOPBACK.test(peer) ? null : clientOf(peer);
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined) return null;
  const hops = [peer, ...String(forwarded).split(',').reverse()].map((hop) => hop.trim());
  const at = hops.findIndex((address, hop) => !isTrusted(address, hop));
  return clientOf(hops.at(at) ?? '');
};

/**
 * Under what a client is counted. A port that a proxy adds, another way to write an IPv4 address, and the other addresses
 * of an IPv6 client's network change nothing; whatever is no address counts as one client.
 */
export const clientOf = (address: string): string => {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? [];
  const [, bare] = /^([\d.]+):\d+$/.exec(address) ?? [];
  return clientNetwork(bracketed ?? bare ?? address) ?? 'no address';
};

/** What the setting `trustProxy` says, of each address. */
export const trustOf = (proxies: TrustedProxies): TrustProxy => {
  if (proxies === false) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = familyOf(address);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/;
