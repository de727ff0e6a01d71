// What the content interface answers when it has nothing at an address: 404, or 503 before the first tree.
import type { FastifyReply } from 'fastify';
import { NOT_FOUND_FILE } from '../../../content/paths/files.ts';
import { JSON_TYPE, NOT_FOUND_CACHE } from '../../../content/paths/headers.ts';
import { NOT_FOUND } from '../../../content/paths/problems.ts';
import { hasSummary } from '../../../publish/output/session/open-session.ts';
import { notBuilt } from '../pages/not-built.ts';
import { ProblemError, problemBody } from '../problems/problem.ts';
import type { Problem } from '../problems/problems.ts';
import { asksForPage } from '../problems/requested-type.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { DocumentReader } from './document-reader.ts';

export type ContentFaults = {
  /** Before the first tree nothing else is wrong. */
  readonly findFault: (otherwise: Problem) => ProblemError;
  readonly sendNotFound: (reply: FastifyReply) => Promise<FastifyReply>;
};

/** `root`: the content folder. */
export const createContentFaults = (
  root: string,
  deps: ServerDeps,
  { read }: DocumentReader,
): ContentFaults => {
  const findFault = (otherwise: Problem): ProblemError =>
    new ProblemError(hasSummary(root) ? otherwise : notBuilt(deps.publisher.firstBuild()));
  return {
    findFault,
    sendNotFound: async (reply) => {
      if (hasSummary(root) && asksForPage(reply.request)) throw new ProblemError(NOT_FOUND);
      const file = await read(NOT_FOUND_FILE);
      await file?.handle?.close();
      if (file === null && !hasSummary(root)) throw findFault(NOT_FOUND);
      reply.code(404).type(JSON_TYPE).header('cache-control', NOT_FOUND_CACHE);
      return reply.send(file?.body ?? JSON.stringify(problemBody(NOT_FOUND, null)));
    },
  };
};
