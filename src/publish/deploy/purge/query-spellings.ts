// How clients spell one query: its parameters in every order, their values as they are and encoded.

export type Parameters = readonly (readonly [name: string, value: string])[];

/** Parameters in every order; separators as they are and encoded, in either case. */
export const spellings = (parameters: Parameters): string[] => {
  const texts = ordersOf(parameters).flatMap((order) =>
    [plain, encodeURIComponent, lowerEncoded].map((write) =>
      order.map(([name, value]) => `${name}=${write(value)}`).join('&'),
    ),
  );
  return [...new Set(texts)];
};

const ordersOf = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((first) =>
        ordersOf(items.filter((other) => other !== first)).map((rest) => [first, ...rest]),
      );

/** Signs that have a meaning in a raw query are written as codes everywhere. */
const plain = (value: string): string =>
  encodeURIComponent(value)
    .replace(/%20/g, '+')
    .replace(/%(?:2C|3A|3[CE]|5B|5D|7E)/g, decodeURIComponent);

const lowerEncoded = (value: string): string =>
  encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
