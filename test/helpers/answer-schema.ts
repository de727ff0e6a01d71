// What a successful answer of an operation has to be.
import * as z from 'zod';
import type { ListedOperation } from '../../src/serve/contract/operations/operation.ts';
import { metaSchema } from '../../src/serve/contract/operations/operations.ts';
import { RECORDS } from '../../src/serve/contract/records.ts';

/** The schema of a successful answer, or null when it has no JSON body. */
export const answerSchema = ({ answer }: ListedOperation): z.ZodType | null => {
  switch (answer.kind) {
    case 'none':
    case 'file':
    case 'page':
      return null;
    case 'free':
      return z.looseObject({});
    case 'object':
      return z.strictObject({ [answer.root]: RECORDS[answer.record] });
    case 'list':
    case 'all':
    case 'single': {
      const records = z.array(RECORDS[answer.record]);
      const body = { [answer.root]: answer.kind === 'single' ? records.length(1) : records };
      const meta = metaSchema(answer);
      return z.strictObject(meta === undefined ? body : { ...body, meta });
    }
  }
};
