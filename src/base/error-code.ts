// The code that the system, a database or a package puts on an error.

/** Empty where there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
