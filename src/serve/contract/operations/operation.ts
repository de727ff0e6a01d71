// What the table of operations says of each.
import type * as z from 'zod';
import type { RecordName } from '../records.ts';

export type QueryName =
  | 'limit'
  | 'page'
  | 'order'
  | 'filter'
  | 'search'
  | 'all'
  | 'include'
  | 'fields'
  | 'formats'
  | 'source'
  | 'webhook_id'
  | 'failed'
  | 'token'
  | 'uuid'
  | 'key';

export type Answer =
  | {
      readonly kind: 'records';
      readonly status: number;
      readonly root: string;
      readonly record: RecordName;
      readonly isSingle: boolean;
      readonly isPaged: boolean;
      readonly meta?: z.ZodType;
    }
  | {
      readonly kind: 'object';
      readonly status: number;
      readonly root: string;
      readonly record: RecordName;
    }
  /** JSON that the interface does not fix. */
  | { readonly kind: 'free'; readonly status: number }
  /** A file to keep. */
  | { readonly kind: 'file'; readonly status: number; readonly type: string }
  /** A page for people. */
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'none'; readonly status: number };

export type Operation = {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Under the base path, with its slash, such as `/admin/posts/{id}/`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: readonly QueryName[];
  /** The JSON body; `root` names its envelope, an array of one such object. */
  readonly body?: {
    readonly root: string | null;
    readonly schema: z.ZodType;
    readonly example: unknown;
  };
  /** The parts of a multipart body. */
  readonly form?: Readonly<Record<string, 'binary' | 'text'>>;
  readonly answer: Answer;
  /** With many members the answer is 202, and its Location shows how far the work is. */
  readonly isLong?: true;
  /** False where the address itself is the credential, or none is needed. */
  readonly isAuthenticated?: boolean;
};

type Shown = { readonly root: string; readonly record: RecordName };

export const LIST_QUERY: readonly QueryName[] = ['limit', 'page', 'order', 'filter', 'fields'];

export const listed = ({ root, record }: Shown): Answer => ({
  kind: 'records',
  status: 200,
  root,
  record,
  isSingle: false,
  isPaged: true,
});

export const single = ({ root, record }: Shown, status = 200, meta?: z.ZodType): Answer => ({
  kind: 'records',
  status,
  root,
  record,
  isSingle: true,
  isPaged: false,
  ...(meta !== undefined && { meta }),
});

export const NOTHING: Answer = { kind: 'none', status: 204 };
