// Errors on their way between threads: a copy of an error keeps neither its class nor its code.
import { type ErrorCode, type ErrorExtras, PrepressError } from '../errors.ts';

export type PackedError = {
  /** What makes it an error of ours; null: it is another one. */
  readonly own: (Omit<ErrorExtras, 'cause'> & { readonly code: ErrorCode }) | null;
  readonly message: string;
  readonly stack: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly cause: PackedError | null;
};

/** What Node.js, SQLite and Fastify say of an error. */
const FACTS = ['name', 'code', 'syscall', 'path', 'statusCode'];

export const packError = (error: unknown): PackedError => {
  const known = error instanceof Error ? error : new Error(String(error));
  const { message, stack, cause } = known;
  const facts = { ...known, ...(known.name !== 'Error' && { name: known.name }) };
  return {
    own: known instanceof PrepressError ? ownOf(known) : null,
    message,
    stack,
    facts: Object.fromEntries(Object.entries(facts).filter(([name]) => FACTS.includes(name))),
    cause: cause === undefined ? null : packError(cause),
  };
};

const ownOf = ({ code, property, context, details, hint }: PrepressError): PackedError['own'] => {
  return { code, property, context, details, hint };
};

export const unpackError = ({ own, message, stack, facts, cause }: PackedError): Error => {
  const extras = cause === null ? {} : { cause: unpackError(cause) };
  const error =
    own === null
      ? new Error(message, extras)
      : new PrepressError(own.code, message, { ...own, ...extras });
  return Object.assign(error, facts, stack === undefined ? {} : { stack });
};
