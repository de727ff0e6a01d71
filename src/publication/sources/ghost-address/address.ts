// The address of a Ghost, as a person may write it, and its content key, which no message shows.
import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';

export type GhostAddress = {
  /** Of the content interface, with its last slash. */
  readonly api: URL;
  readonly key: string;
  /** For messages: the site, without the key. */
  readonly name: string;
};

const KEY = /^[0-9a-f]{26}$/;

/** A path ends before Ghost's own part of it, so that any address below `/ghost` may be given. */
export const GHOST_PATH = /\/ghost(?:\/|$)/;

export const isGhostAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** The site of an address, without a trailing slash. Throws USAGE. */
export const siteOfAddress = (text: string): string => siteOf(parseUrl(text));

/** The key in the address goes before `givenKey`. Throws USAGE. */
export const parseGhostAddress = (text: string, givenKey: string | undefined): GhostAddress => {
  const url = parseUrl(text);
  const key = (url.searchParams.get('key') ?? givenKey ?? '').trim();
  const name = siteOf(url);
  if (key === '') {
    const sentence = `Reading ${name} needs a Content API key: set the environment variable PREPRESS_SOURCE_KEY. Ghost shows the key at Settings, Integrations.`;
    throw new PrepressError('USAGE', sentence);
  }
  if (!KEY.test(key)) {
    const sentence = `The Content API key for ${name} has ${counted(key.length, 'character')}, and must have 26, each 0 to 9 or a to f.`;
    throw new PrepressError('USAGE', sentence);
  }
  return { api: new URL(`${name}/ghost/api/content/`), key, name };
};

const parseUrl = (text: string): URL => {
  if (!isGhostAddress(text) || !URL.canParse(text)) {
    throw new PrepressError('USAGE', 'The address must begin with http:// or https://.');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new PrepressError('USAGE', 'The address must not carry a user name or password.');
  }
  return url;
};

const siteOf = ({ origin, pathname }: URL): string =>
  `${origin}${pathname.slice(0, GHOST_PATH.exec(pathname)?.index).replace(/\/$/, '')}`;
