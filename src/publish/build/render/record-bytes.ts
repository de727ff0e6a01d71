// The bytes around a fragment, which make a record's file of it.
import type { Resource } from '../../../content/paths/endpoints.ts';

export const openingOf = (resource: Resource): Buffer => Buffer.from(`{"${resource}":[`);

/** Closes a record's file: single reads carry no meta. */
export const RECORD_CLOSING = Buffer.from(']}');
