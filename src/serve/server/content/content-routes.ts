// The routes of the content interface, with CORS (decisions, Addresses). Only reading is answered.
import type { FastifyInstance } from 'fastify';
import type { ServerDeps } from '../server-deps.ts';
import { type ContentAnswerOptions, createContentAnswers } from './content-answers.ts';
import { setContentHeaders, setPreflightHeaders } from './content-headers.ts';

export const contentRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  options: ContentAnswerOptions,
): void => {
  const { basePath } = deps.config;
  const { answer, sendNotFound } = createContentAnswers(app, deps, options);
  for (const url of [`${basePath}/content`, `${basePath}/content/*`]) {
    app.route({ method: ['GET', 'HEAD'], url, handler: answer });
    app.options(url, async (_request, reply) => {
      setContentHeaders(reply, basePath);
      setPreflightHeaders(reply);
      return reply.code(204).send();
    });
    app.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      // Answered before a body is read.
      onRequest: async (_request, reply) => {
        setContentHeaders(reply, basePath);
        return sendNotFound(reply);
      },
      handler: async (_request, reply) => sendNotFound(reply),
    });
  }
};
