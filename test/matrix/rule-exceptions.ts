// What tables of rules cannot do: they compare bytes, so a slug in another normal form of Unicode than the
// stored one is not found; and where they see the path as it was sent, letters must not be encoded.
import type { Request } from './conformance.ts';

export const ruleExceptions = ({ path }: Request): string | null =>
  path.includes('e%CC%81') ? 'rules do not bring slugs into NFC' : null;

/** Of hosts that look for a plain file before they read rules. */
export const isClosed = ({ path }: Request): boolean =>
  /(?:c|%63)ontent\/(?:[.](?:env|git|htaccess)|images.%2Egit|_headers|vercel|wrangler|%5Fredir)|(?:json|txt)[.](?:gz|b)/.test(
    path,
  ) && !/files|welcome[.]json/.test(path);

/** Of Node.js's own server, and of hosts that are played here. */
export const rawByteExceptions = ({ path }: Request): string | null =>
  /[\u0080-\u00ff]/.test(path) ? 'bytes that are not encoded are refused, or encoded before' : null;

/** For hosts whose rules see the path before it is decoded. */
export const rawPathExceptions = (request: Request): string | null =>
  /%70osts|%73lug/.test(request.path)
    ? 'paths are compared as they were sent'
    : ruleExceptions(request);
