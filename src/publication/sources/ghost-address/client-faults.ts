// What a request that brought no records means, in a sentence that names the site and never the key.
import { PrepressError } from '../../../base/errors.ts';
import type { HttpAnswer } from '../../../base/net/http-client.ts';
import { GHOST_PATH } from './address.ts';

type Site = {
  /** The site, without the key. */
  readonly name: string;
  /** It has answered before: what fails now broke off in the middle. */
  readonly hasAnswered: boolean;
};

const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|EPROTO$)/;
const NOT_FOUND: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_NODATA', 'EAI_NONAME']);

export type Fault = {
  readonly error: PrepressError;
  /** Asking again a little later may help. */
  readonly mayPass: boolean;
};

export const faultOfRequest = ({ name, hasAnswered }: Site, cause: unknown): Fault => {
  const code = codeOf(cause);
  if (isTooSlow(cause)) {
    const sentence = `${name} takes too long for one answer.`;
    return { error: new PrepressError('SOURCE_LOST', sentence, { cause }), mayPass: false };
  }
  if (TLS.test(code))
    return unreachable(`There is no secure connection to ${name} (${code}).`, cause);
  if (NOT_FOUND.has(code)) return unreachable(`The host of ${name} is not known (${code}).`, cause);
  if (!hasAnswered && SILENT.has(code)) return unreachable(`${name} does not answer.`, cause);
  if (!hasAnswered) {
    const fault = unreachable(`${name} cannot be reached (${code}).`, cause);
    return { ...fault, mayPass: code !== 'ECONNREFUSED' };
  }
  const sentence = `${name} stopped answering (${code}).`;
  return { error: new PrepressError('SOURCE_LOST', sentence, { cause }), mayPass: true };
};

const unreachable = (sentence: string, cause: unknown): Fault => ({
  error: new PrepressError('SOURCE_UNREACHABLE', sentence, {
    cause,
    hint: 'Check the address and whether the site is up, and try again.',
  }),
  mayPass: false,
});

/** They took the request, and sent nothing. */
const SILENT: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const isTooSlow = (cause: unknown): boolean =>
  cause instanceof Error && (cause.name === 'TimeoutError' || isTooSlow(cause.cause));

const codeOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
  if (!(cause instanceof Error)) return 'unknown';
  if ('code' in cause && typeof cause.code === 'string' && cause.code !== 'ANSWER_CUT') {
    return cause.code;
  }
  return cause.cause === undefined ? 'the answer ended early' : codeOf(cause.cause);
};

export const tooLarge = (name: string, cause: unknown): Fault => {
  const sentence = `${name} sends an answer that is too large to be read.`;
  return { error: new PrepressError('SOURCE_TOO_LARGE', sentence, { cause }), mayPass: false };
};

/** Of an answer that is not 200. */
export const faultOfAnswer = async (
  { name, hasAnswered }: Site,
  url: URL,
  answer: HttpAnswer,
): Promise<Fault> => {
  const { status } = answer;
  const fault = (code: PrepressError['code'], sentence: string, hint?: string): Fault => {
    answer.discard();
    const mayPass = status === 429 || status >= 500;
    return {
      error: new PrepressError(code, sentence, hint === undefined ? {} : { hint }),
      mayPass,
    };
  };
  if (status >= 300 && status < 400) {
    const target = siteOf(answer.header('location'), url);
    const sentence = `${name} redirects to ${target}; name that address instead.`;
    return fault('SOURCE_UNREACHABLE', sentence, '');
  }
  if (status === 429) {
    return fault('SOURCE_BUSY', `${name} asks for a pause (429).`, 'Try again in some minutes.');
  }
  if (status >= 500) {
    const code = hasAnswered ? 'SOURCE_LOST' : 'SOURCE_BUSY';
    const sentence = `${name} answers with an error of its own (${status}).`;
    return fault(code, sentence, 'Try again later; the log of that server says what went wrong.');
  }
  if ((status === 401 || status === 403) && (await isGhostError(answer))) {
    return fault('SOURCE_KEY_REFUSED', `${name} does not accept the Content API key.`);
  }
  if (status === 401 || status === 403) {
    return fault('SOURCE_UNREACHABLE', `${name} does not let its content be read (${status}).`);
  }
  const sentence = `${name} has no content interface of Ghost 5 or 6 (${status} for ${url.pathname}).`;
  return fault('SOURCE_NOT_GHOST', sentence);
};

/** Where the interface would lie there, up to Ghost's own part of the path. */
const siteOf = (location: string | null, from: URL): string => {
  if (location === null || !URL.canParse(location, from.href))
    return 'something that is not an address';
  const { origin, pathname } = new URL(location, from);
  return `${origin}${pathname.slice(0, GHOST_PATH.exec(pathname)?.index)}`;
};

/** A firewall in front of the site refuses in another form. */
const isGhostError = async (answer: HttpAnswer): Promise<boolean> => {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return typeof body === 'object' && body !== null && 'errors' in body;
  } catch {
    return false;
  }
};
