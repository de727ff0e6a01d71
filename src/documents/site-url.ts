// The placeholder that stored texts hold instead of the site's own address, and its replacement.
import { toText } from './stored-text.ts';

const PLACEHOLDER = '__GHOST_URL__';

export type SiteUrlResolver = {
  readonly text: (value: unknown) => string;
  readonly nullableText: (value: unknown) => string | null;
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
  return { text, nullableText };
};
