// Html that is saved: as it is stored, with its plain text. Pure.
import { startPlaintext } from '../../publication/documents/html/plaintext.ts';
import { toStoredHtml } from '../../publication/documents/html/stored-urls.ts';
import { DEPTH_FAULT, findLengthFault } from '../../publication/documents/html/text-limits.ts';
import { dropScripts } from './drop-scripts.ts';
import type { Site } from './site.ts';

export type HtmlTask = {
  readonly html: string;
  readonly site: Pick<Site, 'siteUrl' | 'uploadUrls'>;
};

export type ReadHtml = {
  readonly html: string;
  readonly plaintext: string;
  /** Why no build would take it, as the end of a sentence that begins with its name; or null. */
  readonly fault: string | null;
};

export const readHtml = ({ html: given, site }: HtmlTask): ReadHtml => {
  return readStoredHtml(toStoredHtml(dropScripts(given), site));
};

/** Html with the placeholder for the site's own addresses. */
export const readStoredHtml = (html: string): ReadHtml => {
  const fault = findLengthFault('html', html);
  if (fault !== null) return { html: '', plaintext: '', fault };
  const reading = startPlaintext(html);
  reading.read();
  if (reading.isTooDeep()) return { html: '', plaintext: '', fault: DEPTH_FAULT };
  return { html, plaintext: reading.text(), fault: null };
};
