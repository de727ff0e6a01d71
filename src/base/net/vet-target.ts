// Judges a webhook's target, at creation and again before each attempt: the URL's form first, then every
// address its host resolves to. One forbidden answer refuses the target; the addresses that are given
// back are the only ones that may be connected to.
import { lookup } from 'node:dns/promises';
import {
  type AllowList,
  isAddress,
  isForbidden,
  parseAllowList,
  withoutBrackets,
} from './addresses.ts';

/** All addresses of a host name, from one question. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

export const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

export type Vetted =
  | { readonly isAllowed: true; readonly url: URL; readonly addresses: readonly string[] }
  /** `reason` is one sentence for an administrator. */
  | { readonly isAllowed: false; readonly reason: string };

const refuse = (reason: string): Vetted => ({ isAllowed: false, reason });

/** Ports of services that misread HTTP, or that no web server uses. */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** The form of the URL alone: what can be said without asking DNS. */
export const vetUrl = (text: string): Vetted => {
  if (!URL.canParse(text)) return refuse('The target is not an absolute URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse('The target must begin with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('The target must not carry a user name or password.');
  }
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port))) {
    return refuse(`Port ${url.port} is not one of a web server: use another.`);
  }
  return { isAllowed: true, url, addresses: [] };
};

type VetOptions = {
  readonly allow: AllowList;
  readonly resolve: Resolver;
};

/**
 * The target with the addresses to connect to, or why it is refused. Rejects with the resolver's error
 * when the name cannot be resolved: that is no refusal, the name may appear later.
 */
export const vetTarget = async (text: string, { allow, resolve }: VetOptions): Promise<Vetted> => {
  const formed = vetUrl(text);
  if (!formed.isAllowed) return formed;
  const { url } = formed;
  const host = withoutBrackets(url.hostname);
  const isLiteral = isAddress(host);
  const addresses = isLiteral ? [host] : await resolveHost(host, resolve);
  if (addresses.length === 0) return refuse('The host of the target has no address.');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const isRefused = addresses.some(
    (address) => isForbidden(address) && !allow.hasAddress(address, port),
  );
  if (isRefused && !allow.hasHost(host, port)) return refuse(privateReason(host, allow.isEmpty));
  return { isAllowed: true, url, addresses };
};

/** Says what permits it, and nothing of what is permitted already: keys that are not the owner's read it too. */
const privateReason = (host: string, isFirst: boolean): string => {
  const change = isFirst ? `set "webhookAllow": ["${host}"]` : `add "${host}" to "webhookAllow"`;
  return `The target ${host} is in a private or reserved network. To permit it, ${change} in prepress.config.json.`;
};

/** Names of this machine are so whether or not a resolver knows them (RFC 6761). */
const isLocalName = (host: string): boolean => {
  const name = (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
  return (
    ['localhost', 'ip6-localhost', 'ip6-loopback'].includes(name) || name.endsWith('.localhost')
  );
};

const resolveHost = async (host: string, resolve: Resolver): Promise<readonly string[]> => {
  try {
    return await resolve(host);
  } catch (error) {
    if (isLocalName(host)) return ['127.0.0.1'];
    throw error;
  }
};

/**
 * Answers, for the use cases that take a target, why delivery would refuse it, in one sentence, or null.
 * A name that cannot be resolved now is no reason.
 */
export const createTargetVetter = (
  webhookAllow: readonly string[],
  resolve: Resolver = systemResolver,
): ((url: string) => Promise<string | null>) => {
  const allow = parseAllowList(webhookAllow);
  return async (url) => {
    try {
      const vetted = await vetTarget(url, { allow, resolve });
      return vetted.isAllowed ? null : vetted.reason;
    } catch {
      return null;
    }
  };
};
