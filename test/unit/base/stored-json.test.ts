import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseStored } from '../../../src/base/stored-json.ts';

const schema = z.object({ count: z.number() });

test.each(['', '{', 'null', '{"count":"1"}'])(
  'what others stored fails in one sentence: %s',
  (text) => {
    expect(parseStored(schema, '{"count":1,"more":2}', 'A report')).toEqual({ count: 1 });
    expect(() => parseStored(schema, text, 'A report')).toThrow(
      expect.objectContaining({
        code: 'DATABASE_ALTERED',
        message: 'A report is not what Prepress stored.',
        hint: expect.stringContaining('restore the database from a backup'),
        cause: expect.any(Error),
      }),
    );
  },
);
