// A body with each address in it whole, for readers that show it elsewhere, such as those of feeds.
import { type AttributeEdits, editAttributes } from './edit-attributes.ts';
import { editSrcset } from './srcset.ts';

/** `base` is the address of the page that the body stands on. What is no address stays as it is written. */
export const toAbsoluteHtml = (html: string, base: string): string => {
  const absolute = (url: string): string => {
    const written = url.trim().replaceAll('&amp;', '&');
    if (written === '' || !URL.canParse(written, base)) return url;
    const whole = new URL(written, base).href;
    return URL.canParse(written) ? url : whole.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  };
  const edits: AttributeEdits = new Map([
    ...['href', 'src', 'poster', 'cite'].map((name) => [name, absolute] as const),
    ['srcset', (set) => editSrcset(set, absolute)],
  ]);
  return editAttributes(html, edits);
};
