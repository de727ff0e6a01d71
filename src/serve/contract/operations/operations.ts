// Every operation of the admin interface: its address, what it takes and what it answers. The OpenAPI
// document is made of this table, and tests hold the registered routes against it.
import * as z from 'zod';
import { adminPagination } from '../record-fields.ts';
import { RECORDS } from '../records.ts';
import type { Operation } from './operation.ts';
import { PUBLISHING_OPERATIONS } from './operations-publishing.ts';
import { SERVICE_OPERATIONS } from './operations-service.ts';
import { SUBSCRIBER_OPERATIONS } from './operations-subscribers.ts';
import { UPLOAD_OPERATIONS } from './operations-uploads.ts';

export const ADMIN_OPERATIONS: readonly Operation[] = [
  ...PUBLISHING_OPERATIONS,
  ...SUBSCRIBER_OPERATIONS,
  ...UPLOAD_OPERATIONS,
  ...SERVICE_OPERATIONS,
];

/** The schema of a successful answer, or null when it has no JSON body. */
export const answerSchema = ({ answer }: Operation): z.ZodType | null => {
  switch (answer.kind) {
    case 'none':
    case 'file':
    case 'page':
      return null;
    case 'object':
      return z.strictObject({ [answer.root]: RECORDS[answer.record] });
    case 'free':
      return z.looseObject({});
    case 'records': {
      const records = z.array(RECORDS[answer.record]);
      const body = { [answer.root]: answer.isSingle ? records.length(1) : records };
      const meta = answer.isPaged ? z.strictObject({ pagination: adminPagination }) : answer.meta;
      return z.strictObject(meta === undefined ? body : { ...body, meta });
    }
  }
};
