// What answers an operation: a function of what was asked, without HTTP. Its types are those of the operation's row, so
// that the compiler names a row without its handler, and a handler without its row.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { JsonObject } from '../../../publication/documents/admin/document-context.ts';
import type { Listed, ListParameters } from '../../admin/list-query.ts';
import type { Answer, Operation } from '../../contract/operations/operation.ts';
import type { OPERATIONS, OperationTable } from '../../contract/operations/operations.ts';

export type Call<Input = unknown> = {
  /** Of the admin key that signed the request. */
  readonly keyId: string;
  /** Of the path; empty where it names none. */
  readonly id: string;
  /** Another name in the path: a slug, or an address. */
  readonly name: string;
  /** The body, read by the schema of the row. */
  readonly input: Input;
  readonly list: ListParameters;
  /** The first value of a query parameter. */
  readonly value: (name: string) => string | undefined;
  /** Whether a query parameter is a yes. Throws VALIDATION for a word that is neither yes nor no. */
  readonly flag: (name: string) => boolean;
  /** Its comma-separated values, trimmed and lower-cased; undefined when it is absent. */
  readonly values: (name: string) => string[] | undefined;
};

/** For handlers that read or send a stream. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** `location`: below the admin interface. */
type More = { readonly status?: number; readonly location?: string };

/** A whole body, which no envelope is put around. */
export class Sent {
  readonly body: object | Buffer | null;
  readonly more: More;

  constructor(body: object | Buffer | null, more: More = {}) {
    this.body = body;
    this.more = more;
  }
}

/** The stock client takes the record out of an answer that has no `meta`. */
export type MetaAnswer = { readonly record: JsonObject; readonly meta?: object };

type AnswerOf<A extends Answer> = A extends { readonly kind: 'list' }
  ? Listed
  : A extends { readonly kind: 'all' }
    ? readonly JsonObject[]
    : A extends { readonly kind: 'none' }
      ? unknown
      : A extends { readonly meta: z.ZodType }
        ? MetaAnswer
        : A extends { readonly kind: 'single' }
          ? JsonObject
          : object;

type InputOf<Row extends Operation> = Row extends { readonly body: { readonly bytesMax: number } }
  ? unknown
  : Row extends { readonly body: { readonly holds: number; readonly schema: infer Schema } }
    ? readonly z.output<Schema>[]
    : Row extends { readonly body: { readonly schema: infer Schema } }
      ? z.output<Schema>
      : undefined;

type Handler<Row extends Operation> = (
  call: Call<InputOf<Row>>,
  exchange: Exchange,
) => Promise<AnswerOf<Row['answer']> | Sent>;

export type HandlersOf<Table extends OperationTable> = {
  readonly [Resource in keyof Table]: {
    readonly [Key in keyof Table[Resource]]: Table[Resource][Key] extends Operation
      ? Handler<Table[Resource][Key]>
      : never;
  };
};

export type Handlers = HandlersOf<typeof OPERATIONS>;
