// How many lines of a CSV hold a record, before anything is sent: read as bytes, so that a long file is never in memory.
// A line break within quotation marks belongs to its record; the header and empty lines are not counted.

const [QUOTE, FEED, RETURN] = [0x22, 0x0a, 0x0d] as const;
/** Comma, semicolon, tab: which one separates the fields does not matter here. */
const DELIMITERS: readonly number[] = [0x2c, 0x3b, 0x09];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

type LineCounter = {
  readonly add: (bytes: Uint8Array) => void;
  readonly total: () => number;
};

export const createLineCounter = (): LineCounter => {
  let at = 0;
  let ended = 0;
  let isLineEmpty = true;
  let isFieldEmpty = true;
  /** A mark within a field that did not begin with one is a character like others. */
  let isQuotedField = false;
  let isWithinQuotes = false;
  const endLine = (): void => {
    if (!isLineEmpty) ended += 1;
    isLineEmpty = true;
    isFieldEmpty = true;
    isQuotedField = false;
  };
  const take = (byte: number): void => {
    if ((byte === FEED || byte === RETURN) && !isWithinQuotes) {
      endLine();
      return;
    }
    const separates = DELIMITERS.includes(byte) && !isWithinQuotes;
    if (!separates) isLineEmpty = false;
    if (byte === QUOTE && (isFieldEmpty || isQuotedField)) {
      isQuotedField = true;
      // A doubled mark closes and opens.
      isWithinQuotes = !isWithinQuotes;
    }
    isFieldEmpty = separates;
    if (isFieldEmpty) isQuotedField = false;
  };
  return {
    add: (bytes) => {
      for (const byte of bytes) {
        // Every other byte of UTF-16 is zero, but for letters, of which it has no breaks.
        if (byte !== BYTE_ORDER_MARK[at] && byte !== 0) take(byte);
        at += 1;
      }
    },
    total: () => Math.max(0, ended + (isLineEmpty ? 0 : 1) - 1),
  };
};

export const countLines = async (file: Blob): Promise<number> => {
  const counter = createLineCounter();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    counter.add(part.value);
  }
  return counter.total();
};
