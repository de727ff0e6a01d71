// Documents of the tree as answers: 304 when the client has it, headers only for HEAD, from memory or
// streamed. What is answered is decided here as a value, before any of it is sent or kept.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { knowsTag } from '../../../content/paths/entity-tags.ts';
import { cacheOf, JSON_TYPE, treeType } from '../../../content/paths/headers.ts';
import type { Encoding } from '../../../content/paths/sidecars.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';
import { ProblemError } from '../problems/problem.ts';
import { BUSY } from '../problems/problems.ts';
import type { FileBody } from './file-cache.ts';

export type Document = FileBody & {
  /** The one that `body` is in; null: as it is. */
  readonly encoding: Encoding | null;
  /** Of a document without `body`. */
  readonly stream: () => Readable;
  /** What the stream holds beside its chunks, at most. */
  readonly partBytes: number;
  /** Gives up what is open, where it is not streamed. */
  readonly close: () => Promise<void>;
};

export type DocumentAnswer = {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly hasBody: boolean;
};

type Asked = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The document's path in the content folder. */
  readonly file: string;
  /** Who asks must have a content key. */
  readonly isGuarded: boolean;
};

export const decideAnswer = (
  { method, headers, file, isGuarded }: Asked,
  { etag, bytes, encoding }: Omit<Document, 'stream' | 'partBytes' | 'close'>,
): DocumentAnswer => {
  const validators = { etag, 'cache-control': cacheOf(file, isGuarded) };
  if (knowsTag(headers['if-none-match'], etag)) {
    return { status: 304, headers: validators, hasBody: false };
  }
  const content = { 'content-type': treeType(file) ?? JSON_TYPE, 'content-length': bytes };
  const coding = encoding === null ? {} : { 'content-encoding': encoding };
  return {
    status: 200,
    headers: { ...validators, ...coding, ...content },
    hasBody: method !== 'HEAD',
  };
};

/** Counts the body of an answer before it is begun. Throws a 503 ProblemError when there is no room for it. */
export const holdDocument = async (
  response: ServerResponse,
  { body, partBytes, close }: Document,
  memory: ResponseBuffers,
): Promise<void> => {
  const hasRoom =
    body === null ? memory.holdStream(response, partBytes) : memory.hold(response, body);
  if (hasRoom) return;
  await close();
  throw new ProblemError(BUSY);
};
