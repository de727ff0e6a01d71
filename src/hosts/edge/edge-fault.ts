// What edge code answers when something is wrong with more than the content key: the query, the tree, or a limit of the
// host. The texts are the companion server's where it has them.
import type { ProblemFacts } from '../../base/problem-body.ts';
import { describeQueryProblem, isQueryProblem } from '../../queries/query-problem.ts';

export type Refusal = ProblemFacts & { readonly status: number };

type EdgeFault = Error & { readonly refusal: Refusal };

/** To be thrown. */
export const createEdgeFault = (refusal: Refusal): EdgeFault =>
  Object.assign(new Error(refusal.message), { refusal });

/** What the plan of a host allows is not known beforehand: the host says when it is passed. */
const TOO_MANY_FILES: Refusal = {
  status: 503,
  type: 'MaintenanceError',
  message:
    'This query reads more files than the plan of the host allows for one request: ask for fewer records, or lower the setting lists.max.',
};

const UNREADABLE: Refusal = {
  status: 503,
  type: 'MaintenanceError',
  message: 'The content could not be read, please try again.',
};

/** Of anything that is thrown. */
export const refusalOf = (thrown: unknown): Refusal => {
  if (isQueryProblem(thrown)) return describeQueryProblem(thrown);
  if (!(thrown instanceof Error)) return UNREADABLE;
  if ('refusal' in thrown) return (thrown as EdgeFault).refusal;
  return /subrequest/i.test(thrown.message) ? TOO_MANY_FILES : UNREADABLE;
};
