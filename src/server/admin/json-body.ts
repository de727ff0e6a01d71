// Reads JSON bodies. Before one is parsed its brackets and commas are counted, which takes a hundredth of the time: a
// parser makes a value of each, and holds the event loop meanwhile. Texts cost next to nothing, however long they are.
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PrepressError } from '../../base/errors.ts';

export const JSON_DEPTH_MAX = 100;
export const JSON_VALUES_MAX = 50_000;

/** Of what is longer, others are answered between the steps. */
const STEP_BYTES = 1024 * 1024;

/** Many clients name a content type on every request, also on one that has no body. */
export const readJsonBodies = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      const isLong = body.length > STEP_BYTES;
      if (isLong) await setImmediate();
      if (!isUtf8(body)) throw Object.assign(new SyntaxError('No UTF-8.'), { statusCode: 400 });
      await countValues(body);
      const text = body.toString();
      if (isLong) await setImmediate();
      return new Promise((resolve, reject) => {
        parse(request, text, (error, value) => (error ? reject(error) : resolve(value)));
      });
    },
  );
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** The sets of both kinds of brackets differ in one bit. */
const [OPENING, CLOSING, EITHER] = [0x5b, 0x5d, 0x20];

/** Throws BAD_REQUEST. */
const countValues = async (body: Buffer): Promise<void> => {
  const seen = { at: 0, depth: 0, values: 0, isText: false };
  while (seen.at < body.length) {
    countStep(body, seen, Math.min(seen.at + STEP_BYTES, body.length));
    if (seen.depth > JSON_DEPTH_MAX) throw tooMuch(`nests values more than ${JSON_DEPTH_MAX} deep`);
    if (seen.values > JSON_VALUES_MAX) throw tooMuch(`holds more than ${JSON_VALUES_MAX} values`);
    if (seen.at < body.length) await setImmediate();
  }
};

type Seen = { at: number; depth: number; values: number; isText: boolean };

/** To the end of the step, or to where there is too much. */
const countStep = (body: Buffer, seen: Seen, end: number): void => {
  let { at, depth, values, isText } = seen;
  for (; at < end && depth <= JSON_DEPTH_MAX && values <= JSON_VALUES_MAX; at += 1) {
    const byte = body[at] as number;
    if (isText) {
      if (byte === QUOTE) isText = false;
      else if (byte === BACKSLASH) at += 1;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values += 1;
    else if ((byte & ~EITHER) === OPENING) {
      values += 1;
      depth += 1;
    } else if ((byte & ~EITHER) === CLOSING) depth -= 1;
  }
  Object.assign(seen, { at, depth, values, isText });
};

const tooMuch = (what: string): PrepressError =>
  new PrepressError('BAD_REQUEST', `The request body ${what}.`);
