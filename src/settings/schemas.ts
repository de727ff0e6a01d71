// How values of settings are read: from texts of the command line and the environment, and from JSON. Each schema says
// in its message what it takes.
import { isIP } from 'node:net';
import * as z from 'zod';
import { trimEndOf } from '../base/text/trim-of.ts';
import { addressFault } from './database-address.ts';
import { isHostName, unknownHost } from './host-names.ts';
import { isReachable } from './networks.ts';
import { isTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

/** What a public address may not hold: it is put before paths, in documents and mails that everybody reads. */
const isPlainUrl = (text: string): boolean => {
  if (/[\p{Cc}\s]/u.test(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '' && !/[?#]/.test(text);
};

const webAddress = z
  .string('must be an absolute http or https address, such as https://example.com')
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), {
    error: 'must be an absolute http or https address, such as https://example.com',
    abort: true,
  });

const plainAddress = webAddress.refine(
  isPlainUrl,
  'must have no user, password, query, fragment, space or control character',
);

export const absoluteUrl = plainAddress.transform((url) => trimEndOf(url, '/'));

/** A link for readers, which may have query and fragment. */
export const webUrl = webAddress.transform((url) => new URL(url).href);

export const basePath = z
  .string()
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as /blog')
  .transform((path) => path.replace(/\/$/, ''));

const fromText = <T>(read: (text: string) => unknown, schema: z.ZodType<T>): z.ZodType<T> =>
  z.preprocess((value) => (typeof value === 'string' ? read(value) : value), schema);

export const flag = fromText(
  (text) => ({ true: true, '1': true, false: false, '0': false })[text] ?? text,
  z.boolean({ error: 'must be true or false' }),
);
export const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });
export const mailAddress = z.email(
  'must be an e-mail address alone, without a name, such as noreply@example.com',
);
export const text = z.string('must be text').min(1, 'must not be empty');

/** A file with Windows' line ends puts a carriage return behind each value of the environment. */
export const PLAIN_PATH = 'must have no control character, such as a carriage return at its end';
export const isPlainPath = (path: string): boolean => !/\p{Cc}/u.test(path);

export const NO_HOME = 'must be written in full: only shells expand ~';
export const isHome = (path: string): boolean => /^~(?:\/|$)/.test(path);

/** Of a folder or a file. */
export const path = text.refine(isPlainPath, PLAIN_PATH).refine((name) => !isHome(name), NO_HOME);

export const folder = path.refine(
  (name) => !/^(?:\w+:\/\/|(?:dir|exec|s3):)/.test(name),
  'must be a path without "dir:" or "s3://" before it; the setting deploy sends files to other places',
);
/** Of this machine or another: of a host, or a container. */
export const isAbsolutePath = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/])/.test(path);

/** What a server listens on. */
export const listenHost = text.refine(
  (host) => isIP(host) === 6 || /^[A-Za-z0-9._-]+$/.test(host),
  'must be an address or a host name without a port, such as 127.0.0.1; the port has its own setting',
);
export const database = path.superRefine((value, context) => {
  const message = addressFault(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
const items = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
const list = (item: z.ZodType<string>) =>
  fromText(items, z.array(item, { error: 'must be a list of texts' }));
const PLACE = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/;
/** A server, as HOST:PORT; an IPv6 address is in brackets. */
const place = (portMin: number, example: string) => {
  const portFault = `must have a port from ${portMin} to 65535`;
  return fromText(
    (text) => {
      const [, ip = '', name = ip, port] = PLACE.exec(text) ?? [];
      return name === '' || (ip !== '' && isIP(ip) !== 6)
        ? text
        : { host: name, port: Number(port) };
    },
    z.object(
      { host: z.string(), port: z.int().min(portMin, portFault).max(65_535, portFault) },
      `must be HOST:PORT, such as ${example}`,
    ),
  );
};
export const origin = place(1, '127.0.0.1:8080');
/** Port 0: the system chooses one. */
export const listenAddress = place(0, '127.0.0.1:9464');
const VARIANTS = ['index', 'authors', 'tags', 'authors-tags', 'count-posts'] as const;
/** Some of the names, in a list. */
const someOf = <const T extends readonly string[]>(names: T) => {
  const sentence = `must be some of ${names.join(', ')}`;
  return z.array(z.enum(names, sentence), sentence);
};
export const variantNames = fromText(
  (text) => text.split(',').map((name) => name.trim()),
  someOf(VARIANTS).min(1, 'must name one'),
);
/** The smaller first: that is the order in which they are sent. */
const ENCODINGS = ['br', 'gzip'] as const;
export const encodings = fromText(
  items,
  someOf(ENCODINGS).transform((names) => ENCODINGS.filter((name) => names.includes(name))),
);
export const count = (
  min: number,
  max: number,
  fault = `must be a whole number from ${min} to ${max}`,
): z.ZodType<number> =>
  fromText(
    // An empty text is no zero.
    (text) => (text.trim() === '' ? text : Number(text)),
    z.custom<number>(
      (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
      fault,
    ),
  );
const WIDTHS = 'must be a list of whole numbers from 1 to 10000, such as 600,1200';
/** Without doubles, the smallest first. */
export const imageWidths = fromText(
  items,
  z
    .array(count(1, 10_000, WIDTHS), WIDTHS)
    .transform((widths) => [...new Set(widths)].sort((a, b) => a - b)),
);
const IMAGE_FORMATS = ['webp', 'avif'] as const;
export const imageFormats = fromText(
  items,
  someOf(IMAGE_FORMATS).transform((names) => IMAGE_FORMATS.filter((name) => names.includes(name))),
);
export const proxies = fromText(
  (text) => (/^\d+$/.test(text) ? Number(text) : text === 'false' ? false : items(text)),
  z
    .custom<TrustedProxies>(
      isTrustedProxies,
      'must be the number of proxies before this server, or a list of their addresses such as 10.0.0.0/8',
    )
    .transform((value) => (value === 0 ? false : value)),
);
/** `auto` is resolved by content/paths/list-pages.ts. */
export const listPages = fromText(
  (text) => (/^\d+$/.test(text) ? Number(text) : text),
  z.union([z.enum(['auto', 'all']), count(1, 100_000)], {
    error: 'must be auto, all or a whole number from 1 to 100000',
  }),
);

const PLAIN_ADDRESS = 'must have only letters, digits and the signs . _ ~ - in its host and path';

/** Rules hold them, and other signs mean something else in the languages of some hosts. */
const isPlainAddress = (url: string): boolean => {
  const { hostname, pathname } = new URL(url);
  return (
    /^(?:[A-Za-z0-9._~-]+|\[[0-9a-f:.]+\])$/.test(hostname) && /^[A-Za-z0-9._~/-]*$/.test(pathname)
  );
};

/** Where queries go that no file answers, on hosts that run no code. */
export type OtherQueries = 'refuse' | 'ignore' | `http${string}`;
export const otherQueries = z
  .union([z.enum(['refuse', 'ignore']), plainAddress.refine(isPlainAddress, PLAIN_ADDRESS)], {
    error:
      'must be refuse, ignore, or the address of a companion server such as https://content.example.com',
  })
  .transform((value) => trimEndOf(value, '/') as OtherQueries);

/** Where links to previews lead: `on` is the page that the companion server renders. */
export type PreviewLinks = 'off' | 'on' | `http${string}`;
const PREVIEW_LINKS =
  'must be off, on, or an address with {token} in it, such as https://example.com/api/preview?uuid={uuid}&token={token}';
export const previewLinks = z
  .union(
    [z.enum(['off', 'on']), webAddress.refine((url) => /\{token\}/.test(url), PREVIEW_LINKS)],
    {
      error: PREVIEW_LINKS,
    },
  )
  .transform((value) => value as PreviewLinks);

export const hostNames = list(
  z.string('must be a list of names').superRefine((name, context) => {
    if (!isHostName(name)) context.addIssue({ code: 'custom', message: unknownHost(name) });
  }),
);
const REACHABLES = 'must be addresses, networks such as 10.0.0.0/8, or host names';
export const reachables = list(z.string(REACHABLES).refine(isReachable, REACHABLES));

const PERMALINKS =
  /^\/(?:(?:\{(?:slug|id|year|month|day|primary_tag|primary_author)\}|[A-Za-z0-9._~-]+)\/)+$/;

export const permalinks = z
  .string()
  .regex(
    PERMALINKS,
    'must be a pattern such as /{year}/{month}/{slug}/, with a slash at both ends, of {slug}, {id}, {year}, {month}, {day}, {primary_tag} and {primary_author}',
  )
  .regex(/\{(?:slug|id)\}/, 'must have {slug} or {id}, such as /{year}/{slug}/');

const MAIL_SERVER = 'must be an address such as smtps://user:password@host';
export const mailServer = z
  .url({ protocol: /^smtps?$/, error: MAIL_SERVER })
  // An address with one slash names no host.
  .regex(/^smtps?:\/\/[^/]/i, MAIL_SERVER);
