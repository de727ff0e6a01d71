// The error catalogue: one class, a closed union of codes, and for each code its meaning, what to
// do, the command line's exit code and the HTTP status and type of the admin interface. A message
// never holds a token, a secret, a body or an e-mail address.

type ErrorFacts = {
  /** One sentence: what this code means, for the documentation. */
  readonly meaning: string;
  /** What the reader can do about it; printed under the message. */
  readonly hint: string;
  /** Exit code of the command line: 1 failed, 2 bad usage. */
  readonly exitCode: 1 | 2;
  readonly status: number;
  /** `type` of the nine-key error body (facts section 5). */
  readonly type: string;
};

const http = (status: number, type: string, meaning: string, hint = ''): ErrorFacts => ({
  meaning,
  hint,
  exitCode: 1,
  status,
  type,
});

const failed = (meaning: string, hint: string): ErrorFacts =>
  http(500, 'InternalServerError', meaning, hint);

/** Another try may find it mended. */
const later = (meaning: string, hint: string): ErrorFacts =>
  http(503, 'MaintenanceError', meaning, hint);

export const ERRORS = {
  USAGE: { ...failed('The command line was not understood.', 'See --help.'), exitCode: 2 },
  CONFIG_INVALID: {
    ...failed('A setting has a value that cannot be used.', 'Correct the setting and try again.'),
    exitCode: 2,
  },
  DATABASE_MISSING: failed(
    'The publishing database does not exist.',
    'Run "prepress init" to create one, or name it with --database.',
  ),
  DATABASE_IS_GHOSTS: failed(
    "The database is Ghost's own, which is read and never built.",
    'Leave out --database, or name the database of the publication with it.',
  ),
  DATABASE_UNREADABLE: failed(
    'The publishing database cannot be read.',
    'Restore it from a backup, or name another with --database.',
  ),
  DATABASE_UNWRITABLE: later(
    'The publishing database cannot be read or written any more.',
    'Check space and permissions of its folder and try again.',
  ),
  DATABASE_ALTERED: failed(
    'Tables, columns or triggers that Prepress needs were changed by another program.',
    'Undo that change of the schema, or restore the database from a backup.',
  ),
  DATABASE_TOO_NEW: later(
    'The database was written by a newer Prepress.',
    'Install that version or a newer one.',
  ),
  DATABASE_BUSY: later(
    'Another program kept the database locked for too long.',
    'Close the program that holds it and try again.',
  ),
  DATABASE_UNREACHABLE: later(
    'PostgreSQL cannot be reached, or does not let us in.',
    'Check the address in the setting database, its user and password, and try again.',
  ),
  DATABASE_UNSUPPORTED: later(
    'The server of the setting database is not one that Prepress can keep a publication in.',
    'Use PostgreSQL 13 or newer, a database in UTF8, and the primary server.',
  ),
  DATABASE_NO_PERMISSION: failed(
    'The user of the setting database lacks a right.',
    'Let it own the tables, and CREATE in the schema; one that only reads them needs lead: never.',
  ),
  DATABASE_NOT_EMPTY: failed(
    'The database already holds a publication, or tables of another program.',
    'Nothing was changed. Name an empty database.',
  ),
  MEDIA_UNREACHABLE: later('The bucket of pictures fails.', 'Check it and its credentials.'),
  DATABASE_ONLY_READ: failed(
    'This server only reads the publication.',
    'Make the change on a server without the setting lead: never.',
  ),
  DATABASE_DRIVER_MISSING: failed(
    'The SQLite driver for this Node.js is not installed.',
    'With the Node.js that you start Prepress with, run "npm install --ignore-scripts", or in a clone "npm ci".',
  ),
  PACKAGE_MISSING: failed(
    'A package that only some publications need is not installed.',
    'Install it with the command above and try again.',
  ),
  MIGRATION_CHANGED: failed(
    'A migration that was applied earlier has another text now.',
    'Install the version that made this database, or restore a backup.',
  ),
  BUILD_INPUT_INVALID: failed(
    'Rows of the database cannot be rendered.',
    'Correct the rows that are listed and build again.',
  ),
  PAGES_INVALID: failed(
    'The HTML pages cannot be rendered or placed.',
    'Correct the template, folder or address that the message names and build again.',
  ),
  PREVIEW_FAILED: http(
    422,
    'ValidationError',
    'The page of this post cannot be rendered.',
    'Run "prepress build", which names what is wrong with the templates or the output, or that it takes long.',
  ),
  SETTINGS_DIFFER: failed(
    'A server that runs on the database builds with other settings.',
    'Use the settings of the server; or change prepress.config.json, which it reloads; or stop it first.',
  ),
  BUILD_BUSY: failed('Another build is running.', 'Wait for it to end and try again.'),
  OUTPUT_UNWRITABLE: failed(
    'A file of the output tree could not be written.',
    'Check space and permissions of the output folder and build again.',
  ),
  OUTPUT_DIFFERS: failed(
    'The output tree is not what the manifest says.',
    'Run "prepress build --full".',
  ),
  DEPLOY_FAILED: failed(
    'What was to be deployed was not taken, or not all of it.',
    'See to what is said above and deploy again: the next run goes on.',
  ),
  HOST_RELOAD_FAILED: failed(
    'The rules of hosts were written, but a host was not reloaded with them.',
    'See to what is said above; the next build tries it again.',
  ),
  TIMEZONE_UNKNOWN: failed(
    'The timezone of the publication is not a known zone name.',
    'Set the setting "timezone" to an IANA name such as Europe/Berlin.',
  ),
  SITE_URL_INVALID: failed(
    'The address of the site that the publication names is none.',
    'Correct the setting "url" in the database, or set siteUrl, which goes before it.',
  ),
  IMPORT_UNREADABLE: failed('The file to import cannot be read.', 'Check the path.'),
  IMPORT_NOT_AN_EXPORT: failed(
    'The file is not a Ghost export.',
    'Export the site again under Settings, Labs, Export, and import that file.',
  ),
  MEMBERS_CSV_INVALID: http(
    422,
    'ValidationError',
    'The file is not a CSV of members that can be read.',
    'Export the members again as CSV in UTF-8, with a first line that names the columns, one of them "email".',
  ),
  COLUMNS_UNCLEAR: http(
    422,
    'ValidationError',
    'Columns of the CSV may say who wants no mail, and are not understood.',
    'Say what each one is, or "ignore": --column "NAME=ignore" of the command, the part mapping[NAME] of an upload, or "Columns to ignore" in the desk.',
  ),
  IMPORT_CUT_OFF: failed(
    'The export ends in the middle.',
    'Download the export again; nothing was changed.',
  ),
  SOURCE_UNREACHABLE: failed(
    'The publication to read from cannot be reached, or does not let us in.',
    'Check the address, the user and the password, and try again.',
  ),
  SOURCE_NO_PERMISSION: failed(
    'The publication to read from does not let its tables be read.',
    'Give the user SELECT on the database, or the file read permission, and try again.',
  ),
  SOURCE_KEY_REFUSED: failed(
    'The site to read from does not accept the content key.',
    'Copy the Content API key of an integration (in Ghost: Settings, Integrations) and try again.',
  ),
  SOURCE_TOO_LARGE: failed(
    'The site to read from sends more than is read at once.',
    'Import its JSON export or its database instead.',
  ),
  SOURCE_NOT_GHOST: failed(
    'The database to read from is not one of Ghost, or not a whole one.',
    'Name the database that Ghost itself uses, or the address of its site.',
  ),
  SOURCE_VERSION: failed(
    'The publication to read from is of a version of Ghost that is not supported.',
    'Import its JSON export, which may be of any version; or bring Ghost to version 5 or 6 first. A later one needs a later Prepress.',
  ),
  SOURCE_MIGRATING: failed(
    'Ghost is changing the schema of its database, or broke off while it did.',
    'Wait until Ghost has started, or start it again, then try again.',
  ),
  SOURCE_BUSY: failed(
    'The publication to read from was locked, or busy, for too long.',
    'Try again; if it stays locked, see which program holds it.',
  ),
  SOURCE_LOST: failed(
    'The publication to read from stopped answering in the middle.',
    'Try again; nothing was changed.',
  ),
  SOURCE_FOLLOWED: http(
    409,
    'ConflictError',
    'The publication follows a source, and only that changes its content.',
    'Make the change there, or end following with "prepress follow --detach".',
  ),
  MEMBERS_WOULD_LOSE: failed(
    'Members would lose what the publication knows of them.',
    'Nothing was changed. Add --yes to do it, or leave --replace out to add and fill only.',
  ),
  BULK_HALF_DONE: failed(
    'Work on many members ended before its end.',
    'What was done stays. Mend the reason, then start the same work again.',
  ),
  SOURCE_IS_ANOTHER: failed(
    'The source holds another site than the one that the publication follows.',
    'Correct its address; or, to take the other site, run "prepress init" with another database.',
  ),
  FILE_FAILED: failed(
    'A file could not be read or written.',
    'Check space, permissions and the limit of open files and try again.',
  ),
  FILE_EXISTS: failed('The file exists already.', 'Choose another name.'),
  PORT_IN_USE: failed('The port is taken.', 'Choose another with --port.'),
  NOT_FOUND: http(404, 'NotFoundError', 'The thing that was asked for does not exist.'),
  BAD_REQUEST: http(400, 'BadRequestError', 'The request cannot be understood.'),
  UNAUTHORIZED: http(401, 'UnauthorizedError', 'The key or token is missing or not valid.'),
  NO_PERMISSION: http(403, 'NoPermissionError', 'The key may not do this.'),
  VALIDATION: http(422, 'ValidationError', 'A property has a value that is not allowed.'),
  UPDATE_COLLISION: http(
    409,
    'UpdateCollisionError',
    'The record was changed by someone else since it was read.',
  ),
  BODY_TOO_LARGE: http(413, 'RequestEntityTooLargeError', 'The request body is too large.'),
  UNSUPPORTED_MEDIA_TYPE: http(
    415,
    'UnsupportedMediaTypeError',
    'The request body is not of a type that is read here.',
  ),
  TOO_MANY_REQUESTS: http(429, 'TooManyRequestsError', 'Too many attempts.', 'Try again later.'),
  LIST_TOO_SLOW: later(
    'A filter, search or order of an admin list took too long.',
    'Use fewer conditions, or exact values in place of parts of texts; if the server was busy, try again.',
  ),
  MAIL_FAILED: http(
    503,
    'EmailError',
    'A mail could not be sent; what depends on it was not saved.',
    'Check the setting "smtp" and the mail server and try again.',
  ),
  THREAD_ENDED: failed(
    'A worker thread ended without an answer.',
    'Try again; if it ends again, see whether memory is short, and report it with the log.',
  ),
  INTERNAL: failed('Something went wrong inside Prepress.', 'Please report it with the log.'),
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorExtras = {
  readonly cause?: unknown;
  /** Name of the property or setting at fault. */
  readonly property?: string | null;
  /** Further explanation for the `context` of an HTTP error body. */
  readonly context?: string | null;
  /** Structured facts, safe to show. */
  readonly details?: unknown;
  /** What to do, where that of the code does not fit; empty: the message says it. */
  readonly hint?: string;
};

/** The only error class: a code of the catalogue and one clear sentence. */
export class PrepressError extends Error {
  override readonly name = 'PrepressError';
  readonly code: ErrorCode;
  readonly property: string | null;
  readonly context: string | null;
  readonly details: unknown;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.property = extras.property ?? null;
    this.context = extras.context ?? null;
    this.details = extras.details ?? null;
    this.hint = extras.hint ?? ERRORS[code].hint;
  }

  get facts(): ErrorFacts {
    return ERRORS[this.code];
  }
}

/** VALIDATION of one property; `message` is a whole sentence. */
export const invalid = (property: string, message: string): PrepressError =>
  new PrepressError('VALIDATION', message, { property });

/** NOT_FOUND of a record, by what it is called. */
export const notFound = (noun: string): PrepressError =>
  new PrepressError('NOT_FOUND', `${noun} not found.`);
