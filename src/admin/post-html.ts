// The body of a post as it is stored. Html comes in with ?source=html only (facts section 9) and is kept
// as given, but for script elements, which Ghost's editor drops too: whoever wants one puts it between
// <!--kg-card-begin: html--> and <!--kg-card-end: html-->. This normalises; it is no security border,
// because whoever holds an admin key may inject code anyhow.
import { setImmediate } from 'node:timers/promises';
import { PrepressError } from '../base/errors.ts';
import { startPlaintext } from '../documents/plaintext.ts';
import { DEPTH_FAULT, findLengthFault } from '../documents/text-limits.ts';
import type { FullPostRow } from '../store/posts.ts';
import type { Site } from './context.ts';
import { dropScripts } from './drop-scripts.ts';
import { toStoredHtml } from './stored-urls.ts';

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
 * Reads the html before anything is locked: a long one in steps, between which other requests are answered.
 * Throws VALIDATION for a body that no build would take.
 */
export const readBody = async (
  input: BodyInput,
  { sourceHtml, site }: BodySource,
): Promise<ReadBody> => {
  if (!sourceHtml || input.html === undefined) return null;
  if (!input.html) return { html: null, plaintext: null };
  const isLong = input.html.length > STEP_UNITS;
  const plain = dropScripts(input.html);
  if (isLong) await setImmediate();
  const html = toStoredHtml(plain, site);
  if (isLong) await setImmediate();
  refuse(findLengthFault('html', html));
  const reading = startPlaintext(html);
  while (reading.read(STEP_UNITS)) await setImmediate();
  if (isLong) await setImmediate();
  if (reading.isTooDeep()) refuse(DEPTH_FAULT);
  return { html, plaintext: reading.text() };
};

const refuse = (fault: string | null): void => {
  if (fault !== null) throw new PrepressError('VALIDATION', `html ${fault}.`, { property: 'html' });
};

/** A hundredth of a second's work at most. */
const STEP_UNITS = 32_768;

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
