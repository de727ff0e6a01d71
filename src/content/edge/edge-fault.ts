// What edge code answers when something is wrong with more than the content key: the query, the tree, or a limit of the
// host. The texts are the companion server's where it has them.
import { type StatusProblem, TOO_MANY_FILES, UNREADABLE } from '../paths/problems.ts';

/** Of anything that is thrown: what has a status is a refusal by itself. */
export const refusalOf = (thrown: unknown): StatusProblem => {
  if (!(thrown instanceof Error)) return UNREADABLE;
  if (isProblem(thrown)) return thrown;
  return /subrequest/i.test(thrown.message) ? TOO_MANY_FILES : UNREADABLE;
};

const isProblem = (thrown: Error): thrown is Error & StatusProblem =>
  'status' in thrown && 'type' in thrown;
