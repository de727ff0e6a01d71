// What the server answers when something is wrong. Anything that is thrown becomes a problem; what is not one of ours
// becomes an INTERNAL one that shows nothing of its cause.
import { randomUUID } from 'node:crypto';
import { ERRORS, type ErrorCode, PrepressError } from '../../../base/errors.ts';
import { REQUEST_BODY_BYTES_MAX } from '../../../base/limits.ts';
import { asKnownError } from '../../../base/sqlite/database-fault.ts';
import { problemDocument } from '../../../content/paths/problem-body.ts';
import { isQueryProblem } from '../../../content/queries/query-problem.ts';
import {
  DATABASE_AWAY,
  DATABASE_BUSY,
  MEDIA_AWAY,
  type Problem,
  TOO_MANY_OPEN,
  UNAVAILABLE,
  UNEXPECTED,
  UNMET,
} from './problems.ts';

export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** `id` is null only where the body must always be the same. */
export const problemBody = (problem: Problem, id: string | null = randomUUID()): unknown =>
  problemDocument(problem, id);

/** What another try may find mended. */
const LATER: Partial<Record<ErrorCode, Problem>> = {
  DATABASE_BUSY,
  DATABASE_UNREACHABLE: DATABASE_AWAY,
  DATABASE_UNSUPPORTED: DATABASE_AWAY,
  DATABASE_TOO_NEW: DATABASE_AWAY,
  MEDIA_UNREACHABLE: MEDIA_AWAY,
};

/** Codes whose message stays in front; that of the others moves to `context` (facts section 5). */
const GENERIC: Partial<Record<ErrorCode, string>> = {
  VALIDATION: 'Validation error, cannot',
  NOT_FOUND: 'Resource not found error, cannot',
  BAD_REQUEST: 'Request not understood error, cannot',
  NO_PERMISSION: 'Permission error, cannot',
};

/**
 * `action` is what the endpoint does, such as "save post"; null before one was reached. `bodyBytesMax` is what its
 * request may bring.
 */
export const toProblem = (
  error: unknown,
  action: string | null,
  bodyBytesMax = REQUEST_BODY_BYTES_MAX,
): Problem => {
  if (error instanceof ProblemError) return error.problem;
  const full = fromDisk(error);
  if (full !== null) return full;
  if (error instanceof PrepressError) return fromPrepress(error, action);
  if (isQueryProblem(error)) return error;
  return fromSystem(error) ?? fromFramework(error, bodyBytesMax) ?? internalProblem(action);
};

const fromPrepress = (error: PrepressError, action: string | null): Problem => {
  const { status, type, meaning, hint } = error.facts;
  const later = LATER[error.code];
  if (later !== undefined) return { ...later, context: error.context };
  if (error.code === 'MAIL_FAILED' || error.code === 'BULK_HALF_DONE') {
    return { status, type, message: error.message, context: `${meaning} ${hint}` };
  }
  if (error.code === 'LIST_TOO_SLOW')
    return { status, type, message: error.message, context: hint };
  if (status >= 500) return internalProblem(action);
  const generic = GENERIC[error.code];
  const isMoved = generic !== undefined && action !== null;
  return {
    status,
    type,
    message: isMoved ? `${generic} ${action}.` : error.message,
    context: isMoved ? [error.message, error.context].filter(Boolean).join(' ') : error.context,
    details: error.details,
    property: error.property,
    code: error.code === 'UPDATE_COLLISION' ? error.code : null,
  };
};

/** A disk or a folder that takes nothing. Only the system's code is said, for messages name places. */
const fromDisk = (error: unknown): Problem | null => {
  const known = asKnownError(error);
  const reason = findDiskCode(known);
  const isOfDatabase = known instanceof PrepressError && known.code === 'DATABASE_UNWRITABLE';
  if (reason === null && !isOfDatabase) return null;
  const code = isOfDatabase ? 'DATABASE_UNWRITABLE' : 'FILE_FAILED';
  const { meaning, hint } = ERRORS[code];
  const body = { ...UNAVAILABLE, code };
  if (reason === null) return { ...body, message: meaning, context: hint };
  const message = `${REASONS[reason]} (${reason}).`;
  return { ...body, message, context: `${meaning} ${hint}` };
};

const FORBIDDEN = 'The server may not read or write a file that its log names';

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'The disk of the database is full',
  ENOSPC: 'The disk is full, or out of inodes',
  EDQUOT: 'The disk has no room left for this user',
  EROFS: 'The disk can only be read',
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
};

const findDiskCode = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  const isKnown = Object.hasOwn(REASONS, code);
  return isKnown && isOfFile(error, code) ? code : findDiskCode(error.cause);
};

/** Connections and programs may be forbidden, too. */
const isOfFile = (error: NodeJS.ErrnoException, code: string): boolean =>
  REASONS[code] !== FORBIDDEN ||
  (error.path !== undefined && error.syscall?.startsWith('spawn') === false);

/** No file can be opened because too many are open. */
const fromSystem = (error: unknown): Problem | null => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE' ? TOO_MANY_OPEN : null;
};

const internalProblem = (action: string | null): Problem => ({
  ...UNEXPECTED,
  status: 500,
  message: action === null ? ERRORS.INTERNAL.meaning : `Internal server error, cannot ${action}.`,
});

const MEDIA_TYPES =
  'Send JSON with the header "Content-Type: application/json", and files as multipart/form-data.';

/** Errors of the framework that are the client's doing. */
const fromFramework = (error: unknown, bodyBytesMax: number): Problem | null => {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const megabytes = Math.floor(bodyBytesMax / (1024 * 1024));
    return {
      ...UNEXPECTED,
      status: 413,
      message: `The request body is larger than ${megabytes} MB.`,
    };
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return ofCode('UNSUPPORTED_MEDIA_TYPE', MEDIA_TYPES);
  }
  const status = 'statusCode' in error ? Number(error.statusCode) : 500;
  const unmet = UNMET[status];
  if (unmet !== undefined) return { status, ...unmet, headers: { 'cache-control': 'no-store' } };
  if (status < 400 || status >= 500) return null;
  if (code.startsWith('FST_ERR_CTP')) {
    return { ...NO_JSON, context: code === 'FST_ERR_CTP_INVALID_JSON_BODY' ? error.message : null };
  }
  return ofCode('BAD_REQUEST', 'The request cannot be understood.');
};

const NO_JSON = {
  ...UNEXPECTED,
  status: 400,
  message: 'The request body is not valid JSON.',
};

const ofCode = (code: ErrorCode, message: string): Problem => {
  const { status, type } = ERRORS[code];
  return { status, type, message };
};
