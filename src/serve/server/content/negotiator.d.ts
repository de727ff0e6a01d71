/** The part that is used here: the published types know nothing of `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | undefined>> });
    /** Those of `available` that the client takes, the best first; of equal ones the first of `preferred`. */
    encodings(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string[];
    mediaTypes(available: readonly string[]): string[];
  }
}
