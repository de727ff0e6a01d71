// What a key that is not an owner's reads of the state: no folder, address, account or command of the machine.
import { ERRORS, type ErrorCode } from '../../../base/errors.ts';

export const OWNERS_ALONE = 'Only an owner key reads why.';

/** Of a target or source the kind alone, of an error what its code means, and no warning. */
export const stateForOthers = (state: object): object =>
  JSON.parse(JSON.stringify(state, shownToOthers)) as object;

/** What a target or source is, without its address. */
export const kindOf = (address: string): string =>
  /^[a-z0-9]{2,}(?=:)/.exec(address)?.[0] ?? 'file';

const shownToOthers = (key: string, value: unknown): unknown => {
  if (key === 'warnings') return [];
  if (typeof value === 'string' && /^(?:target|source)$/.test(key)) return kindOf(value);
  return isProblem(value) ? { ...value, message: meaningOf(value.code) } : value;
};

const isProblem = (value: unknown): value is { readonly code: string } =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

const meaningOf = (code: string): string =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].meaning : OWNERS_ALONE;
