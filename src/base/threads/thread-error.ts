// Errors on their way between threads: a copy of an error keeps neither its class nor its code.
import { type ErrorCode, PrepressError } from '../errors.ts';

export type PackedError =
  | {
      readonly kind: 'own';
      readonly code: ErrorCode;
      readonly message: string;
      readonly property: string | null;
      readonly context: string | null;
      readonly details: unknown;
      readonly cause: PackedError | null;
    }
  | {
      readonly kind: 'other';
      readonly message: string;
      readonly stack: string | undefined;
      /** Those that Node.js and SQLite give: code, syscall, path. */
      readonly facts: Readonly<Record<string, string>>;
    };

export const packError = (error: unknown): PackedError => {
  if (error instanceof PrepressError) {
    const { code, message, property, context, details, cause } = error;
    return {
      kind: 'own',
      code,
      message,
      property,
      context,
      details,
      cause: cause === undefined ? null : packError(cause),
    };
  }
  if (!(error instanceof Error)) {
    return { kind: 'other', message: String(error), stack: undefined, facts: {} };
  }
  const known = error as Error & { readonly [Name in (typeof FACTS)[number]]?: unknown };
  const facts = FACTS.flatMap((name) => {
    const value = known[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    kind: 'other',
    message: error.message,
    stack: error.stack,
    facts: Object.fromEntries(facts),
  };
};

const FACTS = ['code', 'syscall', 'path'] as const;

export const unpackError = (packed: PackedError): Error => {
  if (packed.kind === 'other') {
    const { message, stack, facts } = packed;
    return Object.assign(new Error(message), facts, stack !== undefined && { stack });
  }
  const { code, message, property, context, details, cause } = packed;
  return new PrepressError(code, message, {
    details,
    ...(property !== null && { property }),
    ...(context !== null && { context }),
    ...(cause !== null && { cause: unpackError(cause) }),
  });
};
