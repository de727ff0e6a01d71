// What edge code answers when something is wrong with more than the content key: the query, the tree, or a limit of the
// host. The texts are the companion server's where it has them.
import type { ProblemFacts } from '../paths/problem-body.ts';
import { toBeAskedAgain } from '../queries/answer-address.ts';

export type Refusal = ProblemFacts & { readonly status: number };

/** What the plan of a host allows is not known beforehand: the host says when it is passed. */
const TOO_MANY_FILES = toBeAskedAgain(
  'This query reads more files than the plan of the host allows for one request: ask for fewer records, or lower the setting lists.max.',
);

const UNREADABLE = toBeAskedAgain('The content could not be read, please try again.');

/** Of anything that is thrown: what has a status is a refusal by itself. */
export const refusalOf = (thrown: unknown): Refusal => {
  if (!(thrown instanceof Error)) return UNREADABLE;
  if (isRefusal(thrown)) return thrown;
  return /subrequest/i.test(thrown.message) ? TOO_MANY_FILES : UNREADABLE;
};

const isRefusal = (thrown: Error): thrown is Error & Refusal =>
  'status' in thrown && 'type' in thrown;
