// The address of a Ghost, as a person may write it, and its content key, which no message shows.
import { PrepressError } from '../../base/errors.ts';

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

/** The key in the address goes before `givenKey`. Throws USAGE. */
export const parseGhostAddress = (text: string, givenKey: string | undefined): GhostAddress => {
  if (!isGhostAddress(text) || !URL.canParse(text)) {
    throw new PrepressError('USAGE', 'The address must begin with http:// or https://.');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new PrepressError('USAGE', 'The address must not carry a user name or password.');
  }
  const key = (url.searchParams.get('key') ?? givenKey ?? '').trim();
  const path = url.pathname.slice(0, GHOST_PATH.exec(url.pathname)?.index).replace(/\/$/, '');
  const name = `${url.origin}${path}`;
  if (key === '') {
    const sentence = `Reading ${name} needs a Content API key: give --key, or better PREPRESS_SOURCE_KEY.`;
    throw new PrepressError('USAGE', sentence);
  }
  if (!KEY.test(key)) {
    throw new PrepressError('USAGE', 'A Content API key has 26 characters, 0 to 9 and a to f.');
  }
  return { api: new URL(`${name}/ghost/api/content/`), key, name };
};
