// What saving asks of whoever knows Ghost's editor formats, and what a client's documents mean beside the stored ones.
import { invalid } from '../../base/errors.ts';
import { createSiteUrlResolver } from '../../publication/documents/site-url.ts';
import type { FullPostRow } from '../../publication/store/content/posts.ts';
import type { Pictures, Site } from './site.ts';

export type EditorFormat = 'lexical' | 'mobiledoc';

export type FormatRequest = {
  readonly from: EditorFormat | 'html';
  readonly text: string;
  readonly site: Pick<Site, 'siteUrl' | 'uploadUrls'>;
  /** What stands now: nodes in it may be kept, though nothing here knows them. */
  readonly stored?: { readonly lexical: string; readonly html: string };
  /** What html says of sizes of pictures; absent: what the thread was started with. */
  readonly pictures?: Pictures;
};

export type Converted = {
  readonly lexical: string;
  /** Null where the document shows nothing. */
  readonly html: string | null;
  readonly plaintext: string | null;
};

/** `fault` ends a sentence that begins with the name of the field. */
export type FormatAnswer = Converted | { readonly fault: string; readonly isUnknownNode?: boolean };

export type EditorFormats = {
  /** Of html the answer's html means nothing: html is kept as it was given. */
  readonly convert: (request: FormatRequest) => Promise<FormatAnswer>;
  /** The command that installs what reads documents; null where it is installed. */
  readonly installCommand: () => string | null;
};

const BLANK =
  '{"root":{"children":[{"children":[],"direction":null,"format":"","indent":0,"type":"paragraph","version":1}],"direction":null,"format":"","indent":0,"type":"root","version":1}}';

/** What clients are shown: Ghost's blank document of a post without a body. */
export const shownLexical = ({
  lexical,
  mobiledoc,
  html,
}: Pick<FullPostRow, 'html' | 'lexical' | 'mobiledoc'>): string | null =>
  lexical === null && !mobiledoc && !html ? BLANK : lexical;

export type GivenFormats = { readonly [Format in EditorFormat]?: string | null | undefined };

/**
 * The document that the client changed; null where it sent none, or what it had read. Ghost's null is no document
 * either. Throws VALIDATION for two.
 */
export const findChangedFormat = (
  given: GivenFormats,
  stored: FullPostRow | undefined,
  site: Site,
): EditorFormat | null => {
  const shown = createSiteUrlResolver(site.siteUrl);
  const before = stored && { ...stored, lexical: shownLexical(stored) };
  const changed = (['lexical', 'mobiledoc'] as const).filter((format) => {
    const text = given[format];
    return text && text !== before?.[format] && text !== shown.nullableText(before?.[format]);
  });
  if (changed.length === 2) {
    throw invalid('mobiledoc', 'Send either lexical or mobiledoc, not both.');
  }
  return changed[0] ?? null;
};
