// In this process; Deno, which Netlify runs it in, is for netlify-edge.long.test.ts.
import { describe } from 'vitest';
import { checkEdge } from './check-edge.ts';

describe("Netlify's edge function", () => checkEdge());
