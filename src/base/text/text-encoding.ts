// In which encoding a text begins, by its byte-order mark.

/** A label of TextDecoder. Excel's "Unicode text" is UTF-16. */
export const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};
