// Texts of the content interface as Ghost itself stores them: addresses of the site as placeholders, so that the site can
// move, and links without the parameter that is added while they are shown.
import { type ByteText, readByteText, toByteText } from '../../documents/html/byte-text.ts';
import { scanHrefs } from '../../documents/html/html-tags.ts';
import { createOutboundLinkTagger } from '../../documents/html/outbound-links.ts';
import { PLACEHOLDER } from '../../documents/site-url.ts';

export type StoredTexts = {
  /** A text, or an address; what is none stays as it is. */
  readonly text: (value: unknown) => unknown;
  /** The body of a post. */
  readonly html: (value: unknown) => unknown;
};

type Site = {
  /** Without a trailing slash. */
  readonly siteUrl: string;
  readonly tagsLinks: boolean;
};

export const createStoredTexts = ({ siteUrl, tagsLinks }: Site): StoredTexts => {
  const tag = createOutboundLinkTagger(siteUrl);
  const parameter = `ref=${encodeURIComponent(new URL(siteUrl).hostname.replace(/^www\./, ''))}`;
  const toText = (value: unknown): unknown =>
    typeof value === 'string' ? withPlaceholders(value, siteUrl) : value;
  return {
    text: toText,
    html: (value) => {
      if (typeof value !== 'string' || !tagsLinks || !value.includes(parameter)) {
        return toText(value);
      }
      const shown = toByteText(value);
      const untagged = withoutParameter(shown, parameter);
      // Only where showing it gives the same bytes again.
      return toText(tag(untagged) === shown ? readByteText(untagged) : value);
    },
  };
};

/** What would make the site's address a part of a longer one, such as a further port or host. */
const GOES_ON = /[A-Za-z0-9._:@-]/;

const withPlaceholders = (text: string, siteUrl: string): string => {
  let stored = '';
  let copied = 0;
  for (let at = text.indexOf(siteUrl); at !== -1; at = text.indexOf(siteUrl, at + 1)) {
    const end = at + siteUrl.length;
    if (GOES_ON.test(text.charAt(end))) continue;
    stored += text.slice(copied, at) + PLACEHOLDER;
    copied = end;
  }
  return copied === 0 ? text : stored + text.slice(copied);
};

const withoutParameter = (html: ByteText, parameter: string): ByteText => {
  let stored = '';
  let copied = 0;
  scanHrefs(html, (start, end) => {
    const href = html.slice(start, end);
    const at = href.lastIndexOf(parameter);
    const [before, after] = [href.charAt(at - 1), href.charAt(at + parameter.length)];
    if (at < 1 || !'?&'.includes(before) || !['', '#'].includes(after)) return;
    stored += html.slice(copied, start + at - 1);
    copied = start + at + parameter.length;
  });
  return copied === 0 ? html : ((stored + html.slice(copied)) as ByteText);
};
