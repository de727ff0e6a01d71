// What the companion server alone says is wrong. Errors with a code are in base/errors.ts; those that edge code and rules of
// hosts say, too, in content/paths/problems.ts.
import type { StatusProblem } from '../../../content/paths/problems.ts';

export type Problem = StatusProblem & {
  readonly headers?: Readonly<Record<string, string>>;
};

const RETRY = { 'retry-after': '1' } as const;

/** A disk that takes nothing, and a tree that was never built: the message says which. */
export const UNAVAILABLE = { status: 503, type: 'MaintenanceError' } as const;

/** Another try may find it mended. */
const RETRIED = { ...UNAVAILABLE, headers: RETRY };

/** The answer to a request when too many others are under way. */
export const BUSY: Problem = {
  ...RETRIED,
  message: 'The server has too many answers under way, please try again.',
};

export const TOO_MANY: Problem = {
  status: 429,
  type: 'TooManyRequestsError',
  message: 'Too many answers for this address are under way, please try again.',
  headers: RETRY,
};

export const DATABASE_BUSY: Problem = {
  ...RETRIED,
  message: 'The database is busy, please try again.',
};

/** PostgreSQL is away, or what answers in its place takes no saves. */
export const DATABASE_AWAY: Problem = {
  ...RETRIED,
  message: 'The database cannot be reached, please try again.',
};

export const MEDIA_AWAY: Problem = {
  ...RETRIED,
  message:
    "The bucket of pictures cannot be used: the server's log says why. Please try again later.",
};

export const TOO_MANY_OPEN: Problem = {
  ...RETRIED,
  message: 'Too many files are open, please try again.',
};

export const UNAUTHORIZED: Problem = {
  status: 401,
  type: 'UnauthorizedError',
  message: 'Authorization failed',
  context:
    'Send "Authorization: Ghost TOKEN". The token is a JWT (HS256): "kid" is the part of an admin key before the colon, the secret is the part behind it, read as hexadecimal; "aud" is "/admin/", "iat" is now and "exp" at most five minutes later, both in seconds.',
  headers: { 'www-authenticate': 'Bearer' },
};

/** Whatever is wrong with it. */
export const PREVIEW_REFUSED: Problem = {
  status: 403,
  type: 'NoPermissionError',
  message: 'This preview link is wrong or has expired: please ask for a new one.',
};

export const TOO_MANY_ATTEMPTS: Problem = {
  status: 429,
  type: 'TooManyRequestsError',
  message: 'Too many attempts.',
};

const TOKEN = { status: 422, type: 'ValidationError', property: 'token' } as const;

export const TOKEN_UNKNOWN: Problem = {
  ...TOKEN,
  message: 'Invalid token provided',
  code: 'INVALID_TOKEN',
};

export const TOKEN_ENDED: Problem = { ...TOKEN, message: 'Token expired', code: 'TOKEN_EXPIRED' };

/** Of a body that cannot be read, and of a fault of the program (facts section 5). */
export const UNEXPECTED = { type: 'InternalServerError', code: 'UNEXPECTED_ERROR' } as const;

/** What a request for a plain file asks of it, and the file does not have. */
export const UNMET: Readonly<Record<number, Pick<Problem, 'type' | 'message'>>> = {
  412: { type: 'BadRequestError', message: 'The file has changed.' },
  416: { type: 'RangeNotSatisfiableError', message: 'The file has no such range.' },
};

/** With the reason phrase of their status, since no framework writes it. */
type WrittenProblem = Problem & { readonly reason: string };

/** By the code of Node.js's parser. */
export const CLIENT_PROBLEMS: Readonly<Record<string, WrittenProblem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    type: 'RequestTimeoutError',
    message: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    type: 'BadRequestError',
    message: 'The address or the headers of the request are too large.',
  },
};

export const UNREADABLE: WrittenProblem = {
  status: 400,
  reason: 'Bad Request',
  type: 'BadRequestError',
  message: 'The request cannot be understood.',
};

export const EXPECTATION: WrittenProblem = {
  status: 417,
  reason: 'Expectation Failed',
  type: 'BadRequestError',
  message: 'The request expects something that is not done here.',
};
