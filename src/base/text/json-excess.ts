// Measures JSON that anyone may have written before it is parsed, in a hundredth of the time: a parser makes a value of
// each. It counts brackets and commas; texts cost next to nothing, however long they are.

export type JsonLimits = {
  /** How deep values may be nested. */
  readonly depthMax: number;
  readonly valuesMax?: number;
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** The sets of both kinds of brackets differ in one bit. */
const [OPENING, CLOSING, EITHER] = [0x5b, 0x5d, 0x20];

/** The first limit that JSON in UTF-8 goes over; null: none. What is no JSON is left to the parser. */
export const findJsonExcess = (
  json: Uint8Array,
  { depthMax, valuesMax = Number.POSITIVE_INFINITY }: JsonLimits,
): keyof JsonLimits | null => {
  let [depth, values, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (isText) {
      if (byte === QUOTE) isText = false;
      else if (byte === BACKSLASH) at += 1;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values += 1;
    else if ((byte & ~EITHER) === OPENING) {
      values += 1;
      depth += 1;
    } else if ((byte & ~EITHER) === CLOSING) depth -= 1;
    if (depth > depthMax) return 'depthMax';
    if (values > valuesMax) return 'valuesMax';
  }
  return null;
};
