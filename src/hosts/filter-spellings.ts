// A filter in every spelling that means the same text: space where the language lets it stand (queries/filter.ts). What
// is found between is compared sign by sign.
import { SLUG_PATTERN } from '../paths/declared-queries.ts';

const FIELD = /^[a-zA-Z_][a-zA-Z0-9_.]*:/;
const OPERATOR = /^(?:~[\^$]?|[<>]=?)/;
const QUOTED = /^'(?:[^'\\]|\\['"]?)*'/;
const WORD = /^(?:\\.|[^\\'"+,()><=[\]~\s])+/;

/** The parts of a filter without space, between which space means nothing; null for what is no filter. */
export const filterParts = (filter: string): string[] | null => {
  const parts: string[] = [];
  let rest = filter;
  let isList = false;
  const take = (pattern: RegExp): string => {
    const part = pattern.exec(rest)?.[0] ?? '';
    if (part !== '') parts.push(part);
    rest = rest.slice(part.length);
    return part;
  };
  const takeComparison = (): boolean => {
    while (take(/^\(/) !== '');
    if (take(FIELD) === '') return false;
    take(/^-/);
    take(OPERATOR);
    return true;
  };
  if (!takeComparison()) return null;
  while (rest !== '') {
    if (take(/^\[/) !== '') isList = true;
    if (take(QUOTED) === '' && take(WORD) === '') return null;
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
