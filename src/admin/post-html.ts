// The body of a post as it is stored. Html comes in with ?source=html only (facts section 9) and is kept
// as given, but for script elements, which Ghost's editor drops too: whoever wants one puts it between
// <!--kg-card-begin: html--> and <!--kg-card-end: html-->. This normalises; it is no security border,
// because whoever holds an admin key may inject code anyhow.
import { PrepressError } from '../base/errors.ts';
import type { FullPostRow } from '../store/posts.ts';
import type { Site } from './context.ts';
import { isLongText, readHtmlAside } from './text-thread.ts';

export type BodyInput = {
  readonly html?: string | null | undefined;
  readonly lexical?: string | null | undefined;
  readonly mobiledoc?: string | null | undefined;
};

export type BodyChanges = Pick<FullPostRow, 'html' | 'plaintext' | 'lexical' | 'mobiledoc'>;

type BodySource = {
  /** The client said ?source=html; otherwise its html is ignored. */
  readonly sourceHtml: boolean;
  /** Public address of the site, without a trailing slash. */
  readonly site: Site;
};

/** Html as it is stored, and its plain text; null where the client sends none. */
export type ReadBody = Pick<FullPostRow, 'html' | 'plaintext'> | null;

/**
 * Reads the html before anything is locked.
 * Throws VALIDATION for a body that no build would take.
 */
export const readBody = async (
  input: BodyInput,
  { sourceHtml, site }: BodySource,
): Promise<ReadBody> => {
  if (!sourceHtml || input.html === undefined) return null;
  if (!input.html) return { html: null, plaintext: null };
  const { siteUrl, uploadUrls = [] } = site;
  const { fault, ...body } = await readHtmlAside({
    html: input.html,
    site: { siteUrl, uploadUrls },
  });
  if (fault !== null) throw new PrepressError('VALIDATION', `html ${fault}.`, { property: 'html' });
  return body;
};

/** Whether it holds the event loop to write or to send this body. */
export const isLongBody = ({ html, lexical, mobiledoc }: BodyInput): boolean =>
  [html, lexical, mobiledoc].some(isLongText);

/** The columns that a new body changes, or null when it stays. Throws VALIDATION for editor formats. */
export const planBody = (
  input: BodyInput,
  { body, stored }: { readonly body: ReadBody; readonly stored: FullPostRow | null },
): BodyChanges | null => {
  if (body === null) {
    refuseEditorFormats(input, stored);
    return null;
  }
  if (body.html === (stored?.html || null)) return null;
  return { ...body, lexical: null, mobiledoc: null };
};

/** A client that sends back what it read sends the stored document: that is no change. */
const refuseEditorFormats = (input: BodyInput, stored: FullPostRow | null): void => {
  for (const property of ['lexical', 'mobiledoc'] as const) {
    const given = input[property];
    if (given && given !== stored?.[property]) {
      throw new PrepressError(
        'VALIDATION',
        `${property} is not read here: send html with ?source=html.`,
        { property },
      );
    }
  }
};
