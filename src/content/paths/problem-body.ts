// The error body of the interface: nine keys, all always there (facts section 5). One text for the companion server, edge
// code and the executor. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

/** A fact that is not given is null in the body. */
export type ProblemFacts = {
  readonly type: string;
  readonly message: string;
  readonly context?: string | null | undefined;
  readonly details?: unknown;
  readonly property?: string | null | undefined;
  readonly help?: string | null | undefined;
  /** Ghost's code of the error, where it has one. */
  readonly code?: string | null | undefined;
};

/** `id` is null where the body must always be the same. */
export const problemDocument = (problem: ProblemFacts, id: string | null) => ({
  errors: [
    {
      message: problem.message,
      context: problem.context ?? null,
      type: problem.type,
      details: problem.details ?? null,
      property: problem.property ?? null,
      help: problem.help ?? null,
      code: problem.code ?? null,
      id,
      ghostErrorCode: null,
    },
  ],
});

/** The same bytes each time. */
export const problemBody = (problem: ProblemFacts): string =>
  JSON.stringify(problemDocument(problem, null));
