// Which names may stand in a path as they are. Runtime-neutral, and written so that the oldest of the edge
// runtimes can run it: no regular expression flags, no iteration.

const FORBIDDEN = '/\\?%:*"<>|';
const BAD_START = /^[._~]/;
/** Of all common file systems. */
const NAME_BYTES_MAX = 255;
const BAD_END = /[. ]$/;
const DEVICE_NAME =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/** True when every file system and host can hold the name; its length is not looked at. */
export const isPlainSegment = (name: string): boolean =>
  name !== '' &&
  !BAD_START.test(name) &&
  !BAD_END.test(name) &&
  !DEVICE_NAME.test(name) &&
  hasPlainCharacters(name);

/** True when a slug, in NFC, is the name of a file: what is no plain segment, or too long for a disk, is stored otherwise. */
export const isFileName = (slug: string): boolean =>
  isPlainSegment(composed(slug)) && bytesOf(composed(slug)) <= NAME_BYTES_MAX;

/** In NFC, where the runtime can tell; the others get the slug as it was sent. */
export const composed = (text: string): string =>
  typeof text.normalize === 'function' ? text.normalize('NFC') : text;

/** In UTF-8. */
const bytesOf = (text: string): number =>
  encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '-').length;

const hasPlainCharacters = (name: string): boolean => {
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (isControl(code) || FORBIDDEN.indexOf(name.charAt(at)) !== -1) return false;
    // Lone surrogates have no UTF-8.
    if (isLowSurrogate(code)) return false;
    if (isHighSurrogate(code)) {
      at += 1;
      if (!isLowSurrogate(name.charCodeAt(at))) return false;
    }
  }
  return true;
};

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f);
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
