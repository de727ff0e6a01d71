import { describe } from 'vitest';
import { checkEdge } from './check-edge.ts';

const deno = process.env.PREPRESS_TEST_DENO;
const reason = deno === undefined ? 'set PREPRESS_TEST_DENO to the path of Deno 2.9.6' : '';

describe.skipIf(reason !== '')(`Netlify's edge function in Deno ${reason}`, () => checkEdge(deno));
