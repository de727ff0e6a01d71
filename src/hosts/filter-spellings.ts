// The parts of a filter, between which the language lets space stand (queries/filter.ts): what has the same parts is the
// same filter. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { SLUG_PATTERN } from '../paths/declared-queries.ts';

const FIELD = /^[a-zA-Z_][a-zA-Z0-9_.]*:/;
const OPERATOR = /^(?:~[\^$]?|[<>]=?)/;
const QUOTED = /^'(?:[^'\\]|\\['"]?)*'/;
const WORD = /^(?:\\.|[^\\'"+,()><=[\]~\s])+/;

/** Null for what is no filter. */
export const filterParts = (filter: string): string[] | null => {
  const parts: string[] = [];
  let rest = filter.trim();
  let isList = false;
  const take = (pattern: RegExp): string => {
    const match = pattern.exec(rest);
    const part = match === null ? '' : match[0];
    if (part !== '') parts.push(part);
    rest = rest.slice(part.length).trim();
    return part;
  };
  const takeComparison = (): boolean => {
    while (take(/^\(/) !== '');
    if (take(FIELD) === '') return false;
    take(/^-/);
    take(OPERATOR);
    return true;
  };
  const takeOperand = (): boolean => take(QUOTED) !== '' || take(WORD) !== '';
  if (!takeComparison()) return null;
  while (rest !== '') {
    if (take(/^\[/) !== '') isList = true;
    if (!takeOperand()) return null;
    if (take(/^\]/) !== '') isList = false;
    while (take(/^\)/) !== '');
    if (rest === '') break;
    if (take(/^[,+]/) === '' || (!isList && !takeComparison())) return null;
  }
  return parts;
};

/** The part that stands for slugs. */
export const isSlugPart = (part: string): boolean =>
  part === SLUG_PATTERN || part === `'${SLUG_PATTERN}'`;
