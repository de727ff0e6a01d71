// Decides what a run of a watch proves about a sabotage, by the errors of its tests and never by printed text. Only a
// failed assertion shows that the watch notices: a test that waits in vain, or a source that cannot run, shows nothing.

/** An error as Vitest hands it from the process of a test. */
export type TestError = {
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly cause?: unknown;
};

export type Watched = {
  /** How many tests passed. */
  readonly passed: number;
  /** The errors of each test that failed, its hooks included. */
  readonly failures: readonly (readonly TestError[])[];
  /** Of files and suites that could not run, and unhandled ones. */
  readonly faults: readonly TestError[];
  /** Whether the sabotaged source was loaded. */
  readonly isLoaded: boolean;
};

export type Verdict = {
  readonly kind: 'noticed' | 'not noticed' | 'timed out' | 'did not run';
  readonly reason: string;
};

const LIMITS = new Set(['WaitLimitError', 'TimeoutError']);
/** Vitest's own, for tests and for hooks. */
const TIMED_OUT = /^(?:Test|Hook) timed out in \d+ms/;
/** Fast-check's, whose cause is what the property threw. */
const PROPERTY = /^Property failed after \d+ tests/;

const isError = (value: unknown): value is TestError => typeof value === 'object' && value !== null;

const isLimit = ({ name = '', message = '' }: TestError): boolean =>
  LIMITS.has(name) || TIMED_OUT.test(message);

/** What a property threw; any other error itself. */
const innermost = (error: TestError): TestError =>
  PROPERTY.test(error.message ?? '') && isError(error.cause) ? innermost(error.cause) : error;

/** What Vitest notes in the errors of matchers that are no part of Chai, such as `toBeOneOf`. */
const MATCHER = '__vitest_error_context__';

/** A property that returns false asserts, too. */
const isAssertion = (error: TestError): boolean =>
  error.name === 'AssertionError' ||
  MATCHER in error ||
  error.message === 'Property failed by returning false';

const spell = ({ name = 'Error', message = '' }: TestError): string =>
  `${name}: ${message.split('\n')[0]}`;

export const judge = ({ passed, failures, faults, isLoaded }: Watched): Verdict => {
  const thrown = failures.flat().map(innermost);
  const all = [...thrown, ...faults];
  if (!isLoaded) return { kind: 'did not run', reason: 'the sabotaged source was not loaded' };
  const assertion = thrown.find(isAssertion);
  if (assertion !== undefined) return { kind: 'noticed', reason: spell(assertion) };
  const limit = all.find(isLimit);
  if (limit !== undefined) return { kind: 'timed out', reason: spell(limit) };
  const [first] = all;
  if (first !== undefined) return { kind: 'did not run', reason: spell(first) };
  if (passed === 0) return { kind: 'did not run', reason: 'no test ran' };
  return { kind: 'not noticed', reason: `${passed} tests passed` };
};

/** Why a run without sabotage is no ground to judge sabotages by; null if it is. */
export const findControlFault = ({ passed, failures, faults }: Watched): string | null => {
  const [first] = [...failures.flat().map(innermost), ...faults];
  if (first !== undefined) return spell(first);
  return passed === 0 ? 'no test ran' : null;
};
