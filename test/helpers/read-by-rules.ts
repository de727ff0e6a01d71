// What a host's rules make of the query of a list, read here as such a host reads them.
import {
  type AddressRule,
  addressRules,
  casePattern,
  withGroups,
} from '../../src/hosts/addresses.ts';
import type { HostQueries } from '../../src/hosts/host.ts';
import type { Question } from '../../src/hosts/list-rules.ts';
import type { Resource } from '../../src/paths/endpoints.ts';
import { EVERYTHING } from '../../src/paths/selection.ts';

export const rulesOf = (queries: HostQueries): AddressRule[] =>
  addressRules({ queries, selection: EVERYTHING });

/** The file without `.json`, below the folder of the resource; null: no file answers the query. */
export const fileByRules = (
  rules: readonly AddressRule[],
  resource: Resource,
  query: string,
): string | null => {
  const rule = rules.find(({ name }) => name === `${resource}_list`);
  const signature = rule?.questions.map((question) => tokenOf(question, query)).join('') ?? '';
  for (const { pattern, file } of rule?.entries ?? []) {
    const match = new RegExp(pattern).exec(signature);
    if (match !== null) return withGroups(file, (group) => match[Number(group)] ?? '');
  }
  return null;
};

const tokenOf = (question: Question, query: string): string => {
  for (const one of question.cases) {
    const match = new RegExp(casePattern(question, one)).exec(query);
    if (match !== null) return withGroups(one.token, (group) => match[Number(group)] ?? '');
  }
  return '';
};
