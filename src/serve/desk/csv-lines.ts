// How many lines of a CSV hold a record, before anything is sent: read in parts, so that a long file is never in memory.
// A line break within quotation marks belongs to its record; the header and empty lines are not counted.
import { encodingOf } from '../../base/text/text-encoding.ts';

/** Which one separates the fields does not matter here. */
const DELIMITERS = ',;\t';

type LineCounter = {
  readonly add: (text: string) => void;
  /** One line more is none of a record. */
  readonly skipLine: () => void;
  readonly total: () => number;
};

export const createLineCounter = (): LineCounter => {
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
  const take = (char: string): void => {
    if ((char === '\n' || char === '\r') && !isWithinQuotes) {
      endLine();
      return;
    }
    const separates = DELIMITERS.includes(char) && !isWithinQuotes;
    if (!separates) isLineEmpty = false;
    if (char === '"' && (isFieldEmpty || isQuotedField)) {
      isQuotedField = true;
      // A doubled mark closes and opens.
      isWithinQuotes = !isWithinQuotes;
    }
    isFieldEmpty = separates;
    if (isFieldEmpty) isQuotedField = false;
  };
  return {
    add: (text) => {
      for (const char of text) take(char);
    },
    skipLine: () => {
      ended -= 1;
    },
    total: () => Math.max(0, ended + (isLineEmpty ? 0 : 1) - 1),
  };
};

const START_BYTES = 16;
/** Excel reads the delimiter from it. */
const DELIMITER_LINE = /^sep=.?[\r\n]/i;

export const countLines = async (file: Blob): Promise<number> => {
  const counter = createLineCounter();
  const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
  const encoding = encodingOf(start);
  const decoder = new TextDecoder(encoding);
  if (DELIMITER_LINE.test(new TextDecoder(encoding).decode(start))) counter.skipLine();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    counter.add(decoder.decode(part.value, { stream: true }));
  }
  return counter.total();
};
