// The body of a post as it is stored. Html comes in with ?source=html only (facts section 9) and is kept
// as given, but for script elements, which Ghost's editor drops too: whoever wants one puts it between
// <!--kg-card-begin: html--> and <!--kg-card-end: html-->. This normalises; it is no security border,
// because whoever holds an admin key may inject code anyhow.
import { PrepressError } from '../base/errors.ts';
import { toPlaintext } from '../documents/plaintext.ts';
import type { FullPostRow } from '../store/posts.ts';
import { editOutside } from './html-regions.ts';
import { toStoredHtml } from './stored-urls.ts';

export type BodyInput = {
  readonly html?: string | null | undefined;
  readonly lexical?: string | null | undefined;
  readonly mobiledoc?: string | null | undefined;
};

export type BodyChanges = Pick<FullPostRow, 'html' | 'plaintext' | 'lexical' | 'mobiledoc'>;

type BodyOptions = {
  /** The client said ?source=html; otherwise its html is ignored. */
  readonly sourceHtml: boolean;
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  readonly stored: FullPostRow | null;
};

/** The columns that a new body changes, or null when it stays. Throws VALIDATION for editor formats. */
export const planBody = (input: BodyInput, options: BodyOptions): BodyChanges | null => {
  const { sourceHtml, siteUrl, stored } = options;
  if (!sourceHtml || input.html === undefined) {
    refuseEditorFormats(input, stored);
    return null;
  }
  const html = input.html ? toStoredHtml(dropScripts(input.html), siteUrl) : null;
  if (html === (stored?.html || null)) return null;
  const plaintext = html === null ? null : derivePlaintext(html);
  return { html, plaintext, lexical: null, mobiledoc: null };
};

/** A body that no reader of markup gets through would fail every build after it. */
const derivePlaintext = (html: string): string => {
  try {
    return toPlaintext(html);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new PrepressError('VALIDATION', 'html has elements nested too deeply.', {
      cause,
      property: 'html',
    });
  }
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

const HTML_CARD = {
  open: /<!--\s*kg-card-begin:\s*html\s*-->/gi,
  close: /<!--\s*kg-card-end:\s*html\s*-->/gi,
};
const SCRIPT = /<script\b[\s\S]*?(?:<\/script[^<>]*>|$)/gi;

/** Removes script elements outside of html cards. */
export const dropScripts = (html: string): string =>
  editOutside(html, HTML_CARD, (part) => part.replace(SCRIPT, ''));
