// Reads JSON that anyone may have written. Its values are counted before it is parsed. Long bodies of saves stay bytes, for
// a thread to read.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PrepressError } from '../../../base/errors.ts';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX, LONG_BODY_BYTES } from '../../../base/limits.ts';
import { findJsonExcess } from '../../../base/text/json-excess.ts';
import { JsonFault, lineAt, placeValues } from '../../../base/text/json-places.ts';

/** What the bytes are is no JSON, or sets a prototype: the error that Fastify has for it, which may cross threads. */
const notJson = (why: string): Error =>
  Object.assign(new Error(why), { code: 'FST_ERR_CTP_INVALID_JSON_BODY', statusCode: 400 });

/** Throws FST_ERR_CTP_INVALID_JSON_BODY, and BAD_REQUEST for too many values. */
export const readJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw notJson('It is not text in UTF-8.');
  checkSize(bytes);
  // PowerShell and .NET begin a text with a byte-order mark; a decoder leaves it out.
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson(faultOf(text));
  }
  if (setsPrototype(value)) throw notJson('It has a name such as __proto__.');
  return value;
};

/** Its place, and no word of the body. */
const faultOf = (text: string): string => {
  try {
    placeValues(text);
  } catch (error) {
    if (error instanceof JsonFault) {
      const { line, column } = lineAt(text, error.at);
      return `Line ${line}, column ${column}: expected ${error.expected}.`;
    }
  }
  return 'It cannot be parsed.';
};

/** Many clients name a content type on every request, also on one that has no body. */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      const isTaken = request.routeOptions.config.operation?.body?.bytesMax !== undefined;
      return isTaken && body.length > LONG_BODY_BYTES ? body : readJson(body);
    },
  );
};

const checkSize = (bytes: Buffer): void => {
  const excess = findJsonExcess(bytes, { depthMax: JSON_DEPTH_MAX, valuesMax: JSON_VALUES_MAX });
  if (excess === 'depthMax') throw tooMuch(`nests values more than ${JSON_DEPTH_MAX} deep`);
  if (excess === 'valuesMax') throw tooMuch(`holds more than ${JSON_VALUES_MAX} values`);
};

const tooMuch = (what: string): PrepressError =>
  new PrepressError('BAD_REQUEST', `The request body ${what}.`);

/** What a copy of the value would take for its prototype, or for that of its class. */
const setsPrototype = (value: unknown): boolean => {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) return true;
    const { constructor: own } = next;
    const isOwn = Object.hasOwn(next, 'constructor');
    if (isOwn && typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype')) {
      return true;
    }
    waiting.push(...Object.values(next));
  }
  return false;
};
