// What a host's rules make of the query of a list, read here as such a host reads them.

import type { Resource } from '../../src/content/paths/endpoints.ts';
import { EVERYTHING } from '../../src/content/paths/selection.ts';
import type { HostQueries } from '../../src/publish/hosts/host.ts';
import {
  type AddressRule,
  addressRules,
  casePattern,
  withGroups,
} from '../../src/publish/hosts/rules/addresses.ts';
import type { Question } from '../../src/publish/hosts/rules/list-rules.ts';

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
