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
  const opening = context === null ? 'Validation' : 'Request not understood';
  return Object.assign(new Error(`${opening} error, cannot ${fault.action}: ${fault.reason}.`), {
    status: context === null ? (422 as const) : (400 as const),
    type: context === null ? ('ValidationError' as const) : ('BadRequestError' as const),
    context,
    property: fault.property,
  });
};

export const isQueryProblem = (thrown: unknown): thrown is QueryProblem =>
  thrown instanceof Error && (thrown as QueryProblem).property !== undefined;

/** What is wrong with a number, in the words of every list. */
export const numberFault = (name: 'limit' | 'page', got: string): string =>
  `${name} must be a whole number${name === 'limit' ? ' or "all"' : ''}, got ${shownName(got)}`;

/** What is wrong with `formats`, of which one is not known. */
export const formatsFault = (known: readonly string[], got: string): string =>
  `formats takes ${known.join(', ')}, got ${shownName(got)}`;

/** What is wrong with a filter by a field that the list does not have. */
export const fieldFault = (name: string, known: readonly string[]): string => {
  const near = nearestOf(name.slice(0, 50).toLowerCase(), known);
  return `filter has no field ${shownName(name)}${near ? ` (did you mean ${near}?)` : ''}`;
};

/** The one that begins like it for longest; the names of a list of fields differ early. Clients load no better search. */
const nearestOf = (name: string, known: readonly string[]): string | undefined =>
  name.length < 3
    ? undefined
    : known.filter((one) => one.indexOf(name) === 0)[0] || nearestOf(name.slice(0, -1), known);

/** What is wrong with a value that a field of filters does not have, or with how it is compared. */
export const valueFault = (name: string, taken: string, got: string): string =>
  `filter takes only ${taken} for ${shownName(name)}, got ${shownName(got)}`;

/** A name that someone sent, short enough to be shown. */
export const shownName = (name: string): string => JSON.stringify(name.slice(0, 50));
