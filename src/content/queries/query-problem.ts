// What is wrong with a query, as the value that parsers and the executor throw: hosts make the interface's error body of
// it. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

export type QueryProblem = Error & {
  readonly status: 400 | 422;
  readonly type: 'BadRequestError' | 'ValidationError';
  readonly message: string;
  readonly context: string | null;
  /** The parameter. */
  readonly property: string;
};

type Fault = {
  /** Such as `list posts`. */
  readonly action: string;
  /** What is wrong, without a full stop. */
  readonly reason: string;
  readonly property: string;
  /** Ghost's own words, where clients may look for them: of what could not be understood. */
  readonly context?: string | undefined;
};

export const createQueryProblem = (fault: Fault): QueryProblem => {
  const context = fault.context || null;
  const opening = context ? 'Request not understood' : 'Validation';
  return Object.assign(new Error(`${opening} error, cannot ${fault.action}: ${fault.reason}.`), {
    status: context ? (400 as const) : (422 as const),
    type: context ? ('BadRequestError' as const) : ('ValidationError' as const),
    context,
    property: fault.property,
  });
};

export const isQueryProblem = (thrown: unknown): thrown is QueryProblem =>
  thrown instanceof Error && (thrown as QueryProblem).property !== undefined;

/** A name that someone sent, short enough to be shown. */
export const shownName = (name: string): string => JSON.stringify(name.slice(0, 50));
