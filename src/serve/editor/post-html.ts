// The body of a post as it is stored. Html comes in with ?source=html only (facts section 9) and is kept
// as given, but for script elements, which Ghost's editor drops too: whoever wants one puts it between
// <!--kg-card-begin: html--> and <!--kg-card-end: html-->. This normalises; it is no security border,
// because whoever holds an admin key may inject code anyhow. A document of Ghost's editors is rendered to html;
// of html a document is made. Both are always stored together.
import { invalid, type PrepressError } from '../../base/errors.ts';
import { FORMAT_HTML_UNITS_MAX } from '../../base/limits.ts';
import { findLengthFault } from '../../publication/documents/html/text-limits.ts';
import { createSiteUrlResolver } from '../../publication/documents/site-url.ts';
import type { FullPostRow } from '../../publication/store/content/posts.ts';
import { dropScripts } from './drop-scripts.ts';
import {
  type EditorFormat,
  type EditorFormats,
  type FormatAnswer,
  findChangedFormat,
  type GivenFormats,
} from './editor-formats.ts';
import { readHtml } from './read-html.ts';
import type { Site } from './site.ts';

export type BodyInput = GivenFormats & { readonly html?: string | null | undefined };

export type BodyChanges = Pick<FullPostRow, 'html' | 'plaintext' | 'lexical' | 'mobiledoc'>;

type BodySource = {
  /** The client said ?source=html; otherwise its html is ignored. */
  readonly sourceHtml: boolean;
  readonly site: Site;
  /** Absent: documents are refused, and none are made. */
  readonly formats?: EditorFormats | undefined;
  /** Absent: the post is new. */
  readonly stored?: FullPostRow | undefined;
};

const NO_BODY: BodyChanges = { html: null, plaintext: null, lexical: null, mobiledoc: null };

/**
 * Reads the body before anything is locked; null where it stays as it is. Throws VALIDATION for a body that no build
 * would take, and for a document that is none.
 */
export const readBody = async (
  input: BodyInput,
  source: BodySource,
): Promise<BodyChanges | null> => {
  if (source.sourceHtml && input.html) {
    return isStoredHtml(input.html, source) ? null : readHtmlBody(input.html, source);
  }
  const format = findChangedFormat(input, source.stored, source.site);
  if (format !== null) return readDocument(format, input[format] ?? '', source);
  // As in Ghost, an empty text is ignored: automation sends it for a field that nobody filled in.
  const isTakenAway = source.sourceHtml && input.html === null && source.stored?.html;
  return isTakenAway ? NO_BODY : null;
};

/** Also where reading it would change it: an import keeps scripts, and own addresses as they were written. */
const isStoredHtml = (given: string, { site, stored }: BodySource): boolean =>
  given === stored?.html ||
  given === createSiteUrlResolver(site.siteUrl).nullableText(stored?.html);

const readHtmlBody = async (
  given: string,
  { site, formats, stored }: BodySource,
): Promise<BodyChanges | null> => {
  const { fault, ...body } = readHtml({ html: given, site: ownOf(site) });
  if (fault !== null) throw faultOf('html', fault);
  if (body.html === stored?.html) return null;
  return {
    ...body,
    lexical: await documentOf(dropScripts(given), { site, formats }),
    mobiledoc: null,
  };
};

/** A document that shows about the same, for editors. Html of which none can be made is still a body. */
const documentOf = async (
  text: string,
  { site, formats }: Pick<BodySource, 'site' | 'formats'>,
): Promise<string | null> => {
  if (text.length > FORMAT_HTML_UNITS_MAX) return null;
  const converted = await formats?.convert({ from: 'html', text, site: ownOf(site) });
  return converted === undefined || 'fault' in converted ? null : converted.lexical;
};

const readDocument = async (
  format: EditorFormat,
  text: string,
  { site, formats, stored }: BodySource,
): Promise<BodyChanges | null> => {
  const lengthFault = findLengthFault(format, text);
  if (lengthFault !== null) throw faultOf(format, lengthFault);
  const request = { from: format, text, site: ownOf(site) };
  let converted = await formats?.convert(request);
  if (isOfUnknownNode(converted) && stored?.lexical && stored.html) {
    const { lexical, html } = stored;
    converted = await formats?.convert({ ...request, stored: { lexical, html } });
  }
  if (converted === undefined) {
    throw faultOf(format, 'is not read here: send html with ?source=html');
  }
  if ('fault' in converted) throw faultOf(format, converted.fault);
  return converted.lexical === stored?.lexical ? null : { ...converted, mobiledoc: null };
};

const isOfUnknownNode = (answer: FormatAnswer | undefined): boolean =>
  answer !== undefined && 'fault' in answer && answer.isUnknownNode === true;

/** What may go to a thread. */
const ownOf = ({ siteUrl, uploadUrls = [] }: Site): Pick<Site, 'siteUrl' | 'uploadUrls'> => ({
  siteUrl,
  uploadUrls,
});

const faultOf = (field: string, fault: string): PrepressError =>
  invalid(field, `${field} ${fault}.`);
