// The errors of the content interface that are no exception of the program: the companion server, edge code, rules of hosts
// and the client say each in the same words. Those with a code are in base/errors.ts. Runtime-neutral, and written so that
// the oldest of the edge runtimes can run it.
import type { ProblemFacts } from './problem-body.ts';
import { queryValues } from './query-values.ts';

export type StatusProblem = ProblemFacts & { readonly status: number };

export const NOT_FOUND = {
  status: 404,
  type: 'NotFoundError',
  message: 'Resource not found',
} as const;

export const INTERNAL = {
  status: 500,
  type: 'InternalServerError',
  message: 'Internal server error, cannot answer.',
  code: 'UNEXPECTED_ERROR',
} as const;

export const KEY_MISSING: StatusProblem = {
  status: 403,
  type: 'NoPermissionError',
  message: 'Authorization failed',
};

const KEY_REPEATED: StatusProblem = {
  status: 400,
  type: 'BadRequestError',
  message: 'Invalid Request',
  code: 'INVALID_REQUEST',
};

export const KEY_UNKNOWN: StatusProblem = {
  status: 401,
  type: 'UnauthorizedError',
  message: 'Unknown Content API Key',
  code: 'UNKNOWN_CONTENT_API_KEY',
};

export const KEY_OF_ADMIN: StatusProblem = {
  status: 401,
  type: 'UnauthorizedError',
  message: 'Invalid API Key type',
  code: 'INVALID_API_KEY_TYPE',
};

/** The one content key of a query, or what is wrong (facts 4.1). */
export const findKey = (rawQuery: string): string | StatusProblem => {
  const keys = queryValues(rawQuery, 'key');
  return keys.length > 1 ? KEY_REPEATED : keys[0] || KEY_MISSING;
};

/** What is wrong for the moment. */
const later = (message: string) => ({ status: 503, type: 'MaintenanceError', message }) as const;

/** Of an output that has no tree yet. */
export const NOT_PACKED_YET = /* @__PURE__ */ later(
  'Queries are answered once the next build is done, please try again.',
);

/** When even the fresh root names a blob that is gone. */
export const REPLACED_WHILE_READ = /* @__PURE__ */ later(
  'The content was replaced meanwhile, please try again.',
);

/** What the plan of a host allows is not known beforehand: the host says when it is passed. */
export const TOO_MANY_FILES = /* @__PURE__ */ later(
  'This query reads more files than the plan of the host allows for one request: ask for fewer records, or lower the setting lists.max.',
);

export const UNREADABLE = /* @__PURE__ */ later('The content could not be read, please try again.');

/** While the companion server that would answer is away. */
export const COMPANION_AWAY = /* @__PURE__ */ later(
  'The server that answers this query is away, please try again.',
);

export const OTHER_QUERY: StatusProblem = {
  status: 400,
  type: 'BadRequestError',
  message:
    'This host has no answer to this query, or to this page of it: use the client prepress-content/client, or name a companion server in otherQueries.',
};

/** Of a cache in front of another server. */
export const FILES_AWAY: StatusProblem = {
  status: 503,
  type: 'InternalServerError',
  message: 'The server of the files does not answer.',
};

export const FILES_ASK_FOR_KEY: StatusProblem = {
  status: 502,
  type: 'InternalServerError',
  message: 'The server of the files asks for a content key: set contentKey to optional there.',
};
