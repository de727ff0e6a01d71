// Reads a payload with a schema and turns the first thing that is wrong into one clear sentence that
// names the property (decisions, Admin: Errors). Keys that a schema does not name are dropped.
import type * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';

type Issue = z.core.$ZodIssue;

/**
 * Throws VALIDATION naming the property that is wrong; `name` stands for a value that is no object of
 * properties.
 */
export const parseInput = <T>(schema: z.ZodType<T>, value: unknown, name?: string): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) throw new PrepressError('VALIDATION', 'The payload is not valid.');
  const property = name ?? propertyOf(issue);
  throw new PrepressError('VALIDATION', sentence(issue, property), { property });
};

/**
 * The one element of `{[root]: [element]}`. Throws BAD_REQUEST without the root key, or for an empty
 * element where Ghost takes that for no root key (facts section 5); VALIDATION when there is not exactly
 * one element.
 */
export const parseEnvelope = (body: unknown, root: string): Record<string, unknown> => {
  const list = isObject(body) && Object.hasOwn(body, root) ? body[root] : undefined;
  if (!Array.isArray(list) || list.length === 0) {
    throw new PrepressError('BAD_REQUEST', `No root key ('${root}') provided.`);
  }
  const [element] = list as unknown[];
  if (list.length > 1 || !isObject(element)) {
    throw new PrepressError('VALIDATION', `${root} must hold exactly one object.`, {
      property: root,
    });
  }
  if (Object.keys(element).length === 0 && !MAY_BE_EMPTY.has(root)) {
    throw new PrepressError('BAD_REQUEST', `No root key ('${root}') provided.`);
  }
  return element;
};

const MAY_BE_EMPTY = new Set(['posts', 'pages', 'tags']);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `tags.0.name` is reported as `tags`: the property that the client set. */
const propertyOf = (issue: Issue): string => String(issue.path[0] ?? 'payload');

const sentence = (issue: Issue, property: string): string => {
  switch (issue.code) {
    case 'too_big':
      return `${property} ${tooBig(issue)}.`;
    case 'too_small':
      return `${property} ${tooSmall(issue)}.`;
    case 'invalid_type':
      return `${property} ${ofAnotherType(issue)}.`;
    case 'invalid_value':
      return `${property} must be one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_union':
      return `${property} has a value of the wrong type.`;
    case 'custom':
    case 'invalid_format':
      return `${property} ${issue.message}.`;
    default:
      return `${property} is not valid.`;
  }
};

const tooSmall = ({ origin, minimum }: Extract<Issue, { code: 'too_small' }>): string => {
  if (origin === 'string') return 'must not be empty';
  return origin === 'array' ? `must have at least ${minimum}` : `must be at least ${minimum}`;
};

const tooBig = ({ origin, maximum }: Extract<Issue, { code: 'too_big' }>): string => {
  if (origin === 'string') return `must not be longer than ${maximum} characters`;
  return origin === 'array'
    ? `must not hold more than ${maximum}`
    : `must not be more than ${maximum}`;
};

const ofAnotherType = (issue: Extract<Issue, { code: 'invalid_type' }>): string => {
  const { input, message, expected } = issue;
  if (input === undefined && message.includes('undefined')) return 'is required';
  return `must be ${EXPECTED[expected] ?? `a ${expected}`}`;
};

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
};
