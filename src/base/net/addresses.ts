// Which network addresses a delivery may reach: public unicast ones, and what the allow list names. An
// IPv6 address that carries an IPv4 one is judged by both; every range that is not known to be public is
// refused.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AllowList = {
  readonly isEmpty: boolean;
  readonly hasHost: (hostname: string, port: number) => boolean;
  readonly hasAddress: (address: string, port: number) => boolean;
};

/** Ranges that ipaddr.js counts as unicast and that are not for us. */
const REFUSED: readonly [string, number][] = [
  ['192.88.99.0', 24],
  ['192.0.0.0', 24],
  // Azure's own services, metadata among them.
  ['168.63.129.16', 32],
  ['fec0::', 10],
  ['5f00::', 16],
  ['3fff::', 20],
  ['3ffe::', 16],
];
const PUBLIC_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Entries are a CIDR range, an address, or a host name, each with or without a port, as `10.0.0.7:8080` and
 * `[::1]:8080`; anything else is a host name never met.
 */
export const parseAllowList = (entries: readonly string[]): AllowList => {
  const ranges: { readonly range: [Address, number]; readonly port: number | null }[] = [];
  const hosts: { readonly name: string; readonly port: number | null }[] = [];
  for (const entry of entries) {
    const { host, port } = splitPort(entry.trim().toLowerCase());
    const text = withoutBrackets(host);
    if (ipaddr.isValidCIDR(text)) ranges.push({ range: ipaddr.parseCIDR(text), port });
    else if (isAddress(text)) ranges.push({ range: wholeAddress(text), port });
    else hosts.push({ name: plainHost(text), port });
  }
  return {
    isEmpty: entries.length === 0,
    hasHost: (hostname, asked) =>
      hosts.some(({ name, port }) => name === plainHost(hostname) && isPort(port, asked)),
    hasAddress: (text, asked) => {
      if (!ipaddr.isValid(text)) return false;
      return unwrap(ipaddr.parse(text)).some((address) =>
        ranges.some(({ range, port }) => isPort(port, asked) && isIn(address, range)),
      );
    },
  };
};

const isPort = (port: number | null, asked: number): boolean => port === null || port === asked;

/** An IPv6 address has its port after brackets. */
export const splitPort = (
  entry: string,
): { readonly host: string; readonly port: number | null } => {
  const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(entry) ?? [];
  return { host, port: port === undefined ? null : Number(port) };
};

/** True for an address as DNS gives it that no delivery may connect to. */
export const isForbidden = (text: string): boolean => {
  if (!isAddress(text)) return true;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return !isPublic(address);
  const forms = unwrap(address);
  if (forms.length > 1) return !forms.slice(1).every(isPublic);
  return !isPublic(address);
};

/** What one client holds: an IPv4 address, or the /64 network of an IPv6 one. Null for a text that is no address. */
export const clientNetwork = (text: string): string | null => {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
};

/** An IPv6 address as URLs write it, without its brackets. */
export const withoutBrackets = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** True for a literal in the form that URLs and DNS use; zones are none. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text));

const isPublic = (address: Address): boolean => {
  const isRefused = REFUSED.some(([range, bits]) => isIn(address, [ipaddr.parse(range), bits]));
  if (isRefused || address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return isIn(address, PUBLIC_V6) && !isIsatap(address as ipaddr.IPv6);
};

/** The address itself and, for the two ways in which IPv4 is reached through IPv6, the one inside. */
const unwrap = (address: Address): Address[] => {
  if (address.kind() === 'ipv4') return [address];
  const v6 = address as ipaddr.IPv6;
  if (v6.isIPv4MappedAddress()) return [v6, v6.toIPv4Address()];
  if (isIn(v6, NAT64)) return [v6, new ipaddr.IPv4(v6.toByteArray().slice(12))];
  return [v6];
};

const isIsatap = (address: ipaddr.IPv6): boolean => {
  const [high, low] = address.parts.slice(4, 6);
  return (high === 0 || high === 0x200) && low === 0x5efe;
};

const isIn = (address: Address, [range, bits]: [Address, number]): boolean => {
  if (address.kind() !== range.kind()) return false;
  return address.kind() === 'ipv4'
    ? (address as ipaddr.IPv4).match(range as ipaddr.IPv4, bits)
    : (address as ipaddr.IPv6).match(range as ipaddr.IPv6, bits);
};

const wholeAddress = (text: string): [Address, number] => {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

const plainHost = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');
