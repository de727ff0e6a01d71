// The placeholder that stored texts hold instead of the site's own address, and its replacement.
import { isUtf8 } from 'node:buffer';
import { toText } from '../../base/text/stored-text.ts';
import { type ByteText, bytesOf, spell, toByteText } from './html/byte-text.ts';

export const PLACEHOLDER = '__GHOST_URL__';

/** The html of a post, twice the same. */
export type Body = { readonly bytes: Buffer; readonly text: ByteText };

export type SiteUrlResolver = {
  readonly text: (value: unknown) => string;
  readonly nullableText: (value: unknown) => string | null;
  readonly body: (value: unknown) => Body;
};

/** `siteUrl` has no trailing slash. */
export const createSiteUrlResolver = (siteUrl: string): SiteUrlResolver => {
  const text = (value: unknown): string => {
    const stored = toText(value);
    if (!stored.includes(PLACEHOLDER)) return stored;
    return stored.replaceAll(PLACEHOLDER, () => siteUrl);
  };
  const nullableText = (value: unknown): string | null => {
    const resolved = text(value);
    return resolved === '' ? null : resolved;
  };
  const spelledUrl = toByteText(siteUrl);
  const body = (value: unknown): Body => {
    const bytes = readBytes(value);
    const stored = spell(bytes);
    if (!stored.includes(PLACEHOLDER)) return { bytes, text: stored };
    const resolved = stored.replaceAll(PLACEHOLDER, () => spelledUrl) as ByteText;
    return { bytes: bytesOf(resolved), text: resolved };
  };
  return { text, nullableText, body };
};

const readBytes = (value: unknown): Buffer => {
  if (!(value instanceof Uint8Array) || !isUtf8(value)) return Buffer.from(toText(value));
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
};
