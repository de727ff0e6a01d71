// What settings may say of networks: an address, a network (CIDR), or a host name.

import { isIP } from 'node:net';
import { splitPort } from '../base/net/addresses.ts';

/** An address, or a network with its length. */
export const isNetwork = (value: unknown): boolean => {
  const [, address = '', prefix = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(String(value)) ?? [];
  const bits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && Number(prefix) >= 1 && Number(prefix) <= bits;
};

const LABEL = /^[a-z0-9_-]{1,63}$/i;

const isHost = (text: string): boolean => {
  const labels = text.replace(/\.$/, '').split('.');
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
};

/** As `isNetwork`, an address in brackets, or a host name; numbers alone are a mistyped address. */
export const isReachable = (value: string): boolean => {
  const { host, port } = splitPort(value);
  const text = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return (port === null || port <= 65_535) && (isNetwork(text) || isHost(text));
};
