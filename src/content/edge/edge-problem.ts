// What is wrong with the content key of a request, as the companion server says it (facts 4.1).
import { queryValues } from '../paths/query-values.ts';

export type EdgeProblem = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly code: string | null;
};

/** The one key of a query, or what is wrong. */
export const keyOf = (query: string): string | EdgeProblem => {
  const keys = queryValues(query, 'key');
  if (keys.length > 1) {
    return {
      status: 400,
      type: 'BadRequestError',
      message: 'Invalid Request',
      code: 'INVALID_REQUEST',
    };
  }
  return (
    keys[0] || {
      status: 403,
      type: 'NoPermissionError',
      message: 'Authorization failed',
      code: null,
    }
  );
};

export const UNKNOWN_KEY: EdgeProblem = {
  status: 401,
  type: 'UnauthorizedError',
  message: 'Unknown Content API Key',
  code: 'UNKNOWN_CONTENT_API_KEY',
};
