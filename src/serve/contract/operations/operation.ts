// What the table of operations says of each. The route of an operation, its place in the OpenAPI document and the types
// of its handler are made of its row; a row holds no function.
import type * as z from 'zod';
import type { RecordName } from '../records.ts';
import type { QueryName } from './query-parameters.ts';

/** `root`: the resource, unless given. */
type Shown = { readonly root?: string; readonly record: RecordName };

export type Answer = { readonly status: number } & (
  | /** A page of records, with its pagination. */ ({ readonly kind: 'list' } & Shown)
  | /** All records. */ ({ readonly kind: 'all' } & Shown)
  | ({
      readonly kind: 'single';
      /** Location names it. */
      readonly isNew?: boolean;
      readonly meta?: z.ZodType;
    } & Shown)
  | ({ readonly kind: 'object' } & Shown)
  | /** JSON that the interface does not fix. */ { readonly kind: 'free' }
  | /** A file to keep. */ { readonly kind: 'file'; readonly type: string }
  | /** A page for people. */ { readonly kind: 'page' }
  | { readonly kind: 'none' }
);

export type Body = {
  /** Names the envelope; the resource, unless given. Null: there is none. */
  readonly root?: string | null;
  /** The envelope holds a list of one object; or the object itself; or a list of up to so many. */
  readonly holds?: 'object' | number;
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** More than the usual limit: the handler reads the body, and is given the bytes of a long one. */
  readonly bytesMax?: number;
};

export type Operation = {
  readonly summary: string;
  /** The resource, unless given. */
  readonly tag?: string;
  /** What it does, for its errors: "save post". Unless given, it is made of the method and the resource. */
  readonly action?: string;
  readonly query?: readonly QueryName[];
  readonly body?: Body;
  /** The parts of a multipart body. */
  readonly form?: Readonly<Record<string, 'binary' | 'text'>>;
  readonly answer: Answer;
  /** With many members the answer is 202, and its Location shows how far the work is. */
  readonly isLong?: true;
  /** Any admin key, unless given. `none`: the address is the credential, or none is needed. */
  readonly keys?: 'owner' | 'none';
  /**
   * All but GET change content, unless given: they are refused while a source is followed, and wake the publisher. `parts`:
   * the use case refuses what the source gives. `ours`: what no source gives.
   */
  readonly changes?: 'parts' | 'ours';
};

/** By method and address below the resource, such as `PUT /{id}/`. */
export type Operations = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`, Operation>
>;

type Rooted<T> = T extends { readonly record: RecordName } ? T & { readonly root: string } : T;
export type ListedBody = Body & { readonly root: string | null };
export type ListedAnswer = Rooted<Answer>;

/** An operation with its address and all that is made of it. */
export type ListedOperation = Omit<Operation, 'body' | 'answer'> & {
  readonly body?: ListedBody;
  readonly answer: ListedAnswer;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Under the base path, with its slash, such as `/admin/posts/{id}/`. */
  readonly path: string;
  readonly tag: string;
};

/** Of a list that has all records, whatever `limit` and `page` say. */
export const WHOLE_QUERY: readonly QueryName[] = ['order', 'filter', 'fields'];

export const LIST_QUERY: readonly QueryName[] = ['limit', 'page', ...WHOLE_QUERY];

export const listed = (record: RecordName) => ({ kind: 'list', status: 200, record }) as const;

export const all = (record: RecordName) => ({ kind: 'all', status: 200, record }) as const;

export const single = (record: RecordName, status = 200) =>
  ({ kind: 'single', status, record }) as const;

export const created = (record: RecordName, status = 201) =>
  ({ ...single(record, status), isNew: true }) as const;

export const object = (record: RecordName, root?: string) =>
  ({ kind: 'object', status: 200, record, ...(root !== undefined && { root }) }) as const;

export const NOTHING = { kind: 'none', status: 204 } as const;
export const FREE = { kind: 'free', status: 200 } as const;
