// Reads a payload with a schema and turns the first thing that is wrong into one clear sentence that
// names the property (decisions, Admin: Errors). Keys that a schema does not name are dropped.
import type * as z from 'zod';
import { invalid, PrepressError } from '../../../base/errors.ts';
import { isJsonObject } from '../../../base/text/json-value.ts';
import type { ListedBody } from '../operations/operation.ts';

type Issue = z.core.$ZodIssue;

/**
 * Throws VALIDATION naming the property that is wrong; `name` stands for a value that is no object of
 * properties.
 */
export const parseInput = <T>(schema: z.ZodType<T>, value: unknown, name?: string): T => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  if (first === undefined) throw new PrepressError('VALIDATION', 'The payload is not valid.');
  const issue = innermost(first);
  const property = name ?? propertyOf(issue);
  const path = name === undefined ? issue.path : [name, ...issue.path];
  const subject = path.join('.') || property;
  const got = /^invalid_(?:value|type)$/.test(issue.code) ? gotWord(value, issue.path) : '';
  throw new PrepressError('VALIDATION', sentence(issue, subject, got), { property });
};

/**
 * What the row of an operation says of its body; `id`: of the path, or empty. Throws VALIDATION, and BAD_REQUEST as
 * elementOf.
 */
export const readBody = (
  { root, holds, schema }: ListedBody,
  body: unknown,
  id: string,
): unknown => {
  if (root === null) return parseInput(schema, body ?? {});
  if (holds === undefined) return parseInput(schema, elementOf(body, root, id));
  const held = heldBy(body, root);
  if (holds === 'object') {
    if (held === undefined || held === null) throw noRoot(root);
    return parseInput(schema, held);
  }
  if (isJsonObject(held))
    throw invalid(root, `${root} must be a list, as in {"${root}": [{...}]}.`);
  if (!Array.isArray(held) || held.length === 0) throw noRoot(root);
  if (held.length <= holds) return held.map((element) => parseInput(schema, element));
  throw invalid(root, `${root} must not hold more than ${holds}.`);
};

/**
 * The one element of `{[root]: [element]}`. Throws VALIDATION when there is not exactly one; BAD_REQUEST, but for posts and
 * tags, without the root key, for an empty element, and for another id than that of the path (facts section 5).
 */
export const elementOf = (body: unknown, root: string, id: string): Record<string, unknown> => {
  const held = heldBy(body, root);
  const list: readonly unknown[] = Array.isArray(held) ? held : [];
  const [element] = list;
  const isStrict = !HELD_LOOSELY.has(root);
  if (isStrict && list.length === 0) throw noRoot(root);
  if (list.length !== 1 || !isJsonObject(element)) {
    throw invalid(root, `${root} must hold exactly one object, as in {"${root}": [{...}]}.`);
  }
  if (!isStrict) return element;
  if (Object.keys(element).length === 0) throw noRoot(root);
  if (id !== '' && element.id !== undefined && element.id !== id) {
    throw new PrepressError('BAD_REQUEST', 'Invalid id provided.', { property: 'id' });
  }
  return element;
};

const heldBy = (body: unknown, root: string): unknown =>
  isJsonObject(body) && Object.hasOwn(body, root) ? body[root] : undefined;

const noRoot = (root: string): PrepressError =>
  new PrepressError('BAD_REQUEST', `No root key ('${root}') provided.`);

/** Of these Ghost looks at the fields alone. */
const HELD_LOOSELY = new Set(['posts', 'tags']);

/** In a value that may be a text or an object, the property of the object that is wrong. */
const innermost = (issue: Issue): Issue => {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().find(({ path }) => path.length > 0);
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
};

/** `tags.0.name` is reported as `tags`: the property that the client set. */
const propertyOf = (issue: Issue): string => String(issue.path[0] ?? 'payload');

/** One word or number, which holds no text of a reader's. */
const gotWord = (value: unknown, path: readonly PropertyKey[]): string => {
  let held = value;
  for (const key of path) held = Object(held)[key];
  const isWord = typeof held === 'string' && /^[\w.-]{1,40}$/.test(held);
  return isWord || typeof held === 'number' || typeof held === 'boolean' || held === null
    ? `, got ${JSON.stringify(held)}`
    : '';
};

const sentence = (issue: Issue, property: string, got: string): string => {
  switch (issue.code) {
    case 'too_big':
      return `${property} ${tooBig(issue)}.`;
    case 'too_small':
      return `${property} ${tooSmall(issue)}.`;
    case 'invalid_type':
      return `${property} ${ofAnotherType(issue)}${got}.`;
    case 'invalid_value':
      return `${property} must be one of ${issue.values.map(String).join(', ')}${got}.`;
    case 'invalid_union':
      return `${property} ${ofNoType(issue)}.`;
    case 'unrecognized_keys':
      return `The key ${JSON.stringify(issue.keys[0])} is not known here.`;
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

const ofNoType = ({ errors }: Extract<Issue, { code: 'invalid_union' }>): string => {
  const types = errors.flat().flatMap((one) => (one.code === 'invalid_type' ? [one.expected] : []));
  const named = [...new Set(types)].map((type) => EXPECTED[type] ?? `a ${type}`);
  return named.length === 0 ? 'is not valid' : `must be ${named.join(' or ')}`;
};

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
};
