// Sends one file of a folder, with ranges and conditional requests. The caller has decided which file it is and that
// it may be read, so that no path of a request gets here.
import send, { type SendOptions } from '@fastify/send';
import type { FastifyReply } from 'fastify';
import { CHUNKED } from '../connections/pace-streams.ts';

/** Not a promise: awaiting a reply waits until it has been sent. A status that was set before stays. */
export const sendStatic = (
  reply: FastifyReply,
  file: string,
  options: Pick<SendOptions, 'root' | 'cacheControl' | 'contentType'>,
): FastifyReply => {
  answer(reply, file, options).catch((error: unknown) => reply.send(error));
  return reply;
};

const answer = async (reply: FastifyReply, file: string, options: SendOptions): Promise<void> => {
  // It decodes what it is given.
  const path = encodeURI(file);
  const found = await send(reply.request.raw, path, {
    ...CHUNKED,
    ...options,
    dotfiles: 'deny',
    index: false,
  });
  if (found.type === 'error' && !isAbsent(found.metadata.error)) throw found.metadata.error;
  if (found.type !== 'file') {
    // It went after it was found.
    reply.callNotFound();
    return;
  }
  if (reply.statusCode === 200) reply.code(found.statusCode);
  reply.headers(found.headers);
  const hasBody = found.statusCode === 200 || found.statusCode === 206;
  if (hasBody && !reply.hasHeader('content-type')) reply.type('application/octet-stream');
  reply.send(found.stream);
};

const isAbsent = (error: Error): boolean =>
  ('code' in error && error.code === 'ENOENT') || ('status' in error && error.status === 404);
