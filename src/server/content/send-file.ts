// Sends a document of the tree: 304 when the client has it, headers only for HEAD, from memory or streamed.
import type { FastifyReply } from 'fastify';
import type { Encoding } from '../../paths/sidecars.ts';
import type { OpenFile } from './file-cache.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const REVALIDATE = 'public, max-age=0';

/** `encoding` is the one that the file is in; null: as it is. */
export const sendFile = async (
  reply: FastifyReply,
  file: OpenFile,
  encoding: Encoding | null,
): Promise<FastifyReply> => {
  const { method, headers } = reply.request;
  reply.header('etag', file.etag).header('cache-control', REVALIDATE);
  const isKnown = knows(headers['if-none-match'], file.etag);
  if (isKnown) {
    await file.handle?.close();
    return reply.code(304).send();
  }
  if (encoding !== null) reply.header('content-encoding', encoding);
  if (method === 'HEAD') {
    await file.handle?.close();
    return reply.type(JSON_TYPE).header('content-length', file.bytes).send('');
  }
  reply.type(JSON_TYPE).header('content-length', file.bytes);
  // The handle is closed with the stream.
  return reply.send(file.body ?? file.handle?.createReadStream({ start: 0, end: file.bytes - 1 }));
};

/** `If-None-Match` names the tag; the comparison is weak, as HTTP has it for this header. */
export const knows = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
