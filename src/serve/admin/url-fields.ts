// Fields of posts and tags that hold one address, and what may stand there: a reference of RFC 3986, as in Ghost. What is
// stored already may stay, whatever it is.
import { invalid } from '../../base/errors.ts';
import { PLACEHOLDER } from '../../publication/documents/site-url.ts';

const URL_FIELDS = ['feature_image', 'canonical_url', 'og_image', 'twitter_image'];

const REFERENCE =
  /^(?:[\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9a-f]{2})*(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;

/** Any will do: it is where a path is read. */
const BASE = 'https://example.com';

/** `changes`: columns as they will be stored. Throws VALIDATION. */
export const refuseOddUrls = (
  changes: Readonly<Record<string, unknown>>,
  { siteUrl }: { readonly siteUrl: string | null },
): void => {
  for (const name of URL_FIELDS) {
    const url = changes[name];
    if (typeof url !== 'string' || (REFERENCE.test(url) && URL.canParse(url, BASE))) continue;
    const sent = url.replace(PLACEHOLDER, () => siteUrl ?? '');
    throw invalid(
      name,
      `${name} must be a URL or a path, percent-encoded as in /my%20picture.png, got "${sent}".`,
    );
  }
};
