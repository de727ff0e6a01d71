// The error catalogue: one class, a closed union of codes, and for each code its meaning, what to do, the command line's
// exit code, and status and type of the admin interface. A message holds no token, secret, body or e-mail address.

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
  USAGE: { ...failed('The command line is wrong.', 'See prepress COMMAND --help.'), exitCode: 2 },
  CONFIG_INVALID: {
    ...failed('A setting has a value that cannot be used.', 'Correct the setting and try again.'),
    exitCode: 2,
  },
  DATABASE_MISSING: failed(
    'The publishing database does not exist.',
    'Run "prepress init" to create one, or name it with --database.',
  ),
  DATABASE_IS_GHOSTS: failed(
    "The database is Ghost's own. Prepress reads it, but publishes from a database of its own.",
    'Leave it out of the setting database, PREPRESS_DATABASE or --database, or name that of the publication there.',
  ),
  DATABASE_UNREADABLE: failed(
    'The publishing database cannot be read.',
    'Restore it from a backup, or name another with --database.',
  ),
  DATABASE_UNWRITABLE: later(
    'The publishing database can no longer be read or written.',
    'Check space and permissions of its folder and try again.',
  ),
  DATABASE_ALTERED: failed(
    'Tables, columns or triggers that Prepress needs were changed by another program.',
    'Undo that change, or restore the database from a backup.',
  ),
  DATABASE_TOO_NEW: later(
    'The database was written by a newer Prepress.',
    'Start the version that wrote it, or a newer one.',
  ),
  DATABASE_BUSY: later(
    'Another program kept the database locked for too long.',
    'Close the program that holds it and try again.',
  ),
  DATABASE_UNREACHABLE: later(
    'PostgreSQL cannot be reached, or it refuses the login.',
    'Check the address in the setting database, its user and password, and try again.',
  ),
  DATABASE_UNSUPPORTED: later(
    'The server of the setting database is not one that Prepress can keep a publication in.',
    'Use PostgreSQL 13 or newer, a database in UTF8, and the primary server.',
  ),
  DATABASE_NO_PERMISSION: failed(
    'The user of the setting database lacks a right.',
    'Make that user the owner of the tables, with CONNECT to the database and CREATE on the schema. A user that may only read needs the setting lead: never.',
  ),
  DATABASE_NOT_EMPTY: failed(
    'The database already holds a publication, or tables of another program.',
    'Nothing was changed. Name an empty database.',
  ),
  SECRET_KEY_UNUSABLE: failed(
    'The file secret.key is absent, cannot be read, or is not the one that secrets of the database were sealed with.',
    'Put back the file secret.key that was kept with the database.',
  ),
  MEDIA_UNREACHABLE: later('The picture bucket cannot be used.', 'Check it and its credentials.'),
  DATABASE_ONLY_READ: failed(
    'This server only reads the publication.',
    'Make the change on a server without the setting lead: never.',
  ),
  DATABASE_DRIVER_MISSING: failed(
    'The SQLite driver for this Node.js is not installed, or Node.js was started with options that keep it out.',
    'Install its packages again, with the Node.js that starts Prepress.',
  ),
  PACKAGE_MISSING: failed(
    'A package that only some publications need is not installed.',
    'Install it and try again.',
  ),
  MIGRATION_CHANGED: failed(
    'The text of a migration that was applied earlier has changed.',
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
    'Run "prepress build": it names the fault in the templates or the output.',
  ),
  SETTINGS_DIFFER: failed(
    'A server that runs on the database builds with other settings.',
    "Use the server's settings, change prepress.config.json, which the server reloads, or stop the server first.",
  ),
  BUILD_BUSY: failed('Another build is running.', 'Wait for it to end and try again.'),
  OUTPUT_UNWRITABLE: failed(
    'A file of the output tree could not be written.',
    'Check space and permissions of the folder and try again.',
  ),
  OUTPUT_DIFFERS: failed('The output differs from the manifest.', 'Run "prepress build --full".'),
  DEPLOY_FAILED: failed(
    'A target did not receive the whole build.',
    'Fix the problem above and deploy again; it resumes.',
  ),
  HOST_RELOAD_FAILED: failed(
    'The rules of a host were written, but the host was not reloaded with them.',
    'Fix the problem above; the next build tries again.',
  ),
  TIMEZONE_UNKNOWN: failed(
    'The timezone of the publication is not a known zone name.',
    'Set it in the desk under Settings, or in the source that is followed, to an IANA name such as Europe/Berlin.',
  ),
  SITE_URL_INVALID: failed(
    'The site address that the publication names is not a URL.',
    'Correct the setting "url" in the database, or set siteUrl, which overrides it.',
  ),
  IMPORT_UNREADABLE: failed('The file to import cannot be read.', 'Check the path.'),
  IMPORT_NOT_AN_EXPORT: failed(
    'The file is not a Ghost export.',
    'In Ghost, open Settings, Import/Export, Export, choose "Content & settings", and import that file.',
  ),
  MEMBERS_CSV_INVALID: http(
    422,
    'ValidationError',
    'The file is not a CSV of members that can be read.',
    'Export the members as CSV in UTF-8, with a first line that names the columns. If the column of addresses has another name than "email", rename it in the file, or say so: --column "NAME=email" of the command, or the part mapping[NAME] of an upload.',
  ),
  COLUMNS_UNCLEAR: http(
    422,
    'ValidationError',
    'The CSV has columns that may say who wants no mail, and Prepress does not know them.',
    'Say what a column is, or "ignore": --column "NAME=ignore" of the command, the part mapping[NAME] of an upload, or "Columns to ignore" in the desk.',
  ),
  IMPORT_CUT_OFF: failed(
    'The export ends in the middle.',
    'Download the export again; nothing was changed.',
  ),
  SOURCE_UNREACHABLE: failed(
    'The publication to read from cannot be reached, or it refuses the login.',
    'Check the address, the user and the password, and try again.',
  ),
  SOURCE_NO_PERMISSION: failed(
    'The login may not read the tables of the publication.',
    'Give the user SELECT on the database, or the file read permission, and try again.',
  ),
  SOURCE_KEY_REFUSED: failed(
    'The site to read from does not accept the content key.',
    'Copy the Content API key of an integration (in Ghost: Settings, Integrations) and try again.',
  ),
  SOURCE_TOO_LARGE: failed(
    'The site to read from sends more than Prepress reads at once.',
    'Import its JSON export or its database instead.',
  ),
  SOURCE_NOT_GHOST: failed(
    'The database to read from is not a complete database of Ghost.',
    'Name the database that Ghost itself uses, or the address of its site.',
  ),
  SOURCE_VERSION: failed(
    'The publication to read from has a version of Ghost that Prepress does not support.',
    'Import its JSON export, which may be of any version, then its members CSV, or upgrade Ghost to 5 or 6 first. A newer Ghost needs a newer Prepress.',
  ),
  SOURCE_MIGRATING: failed(
    'Ghost is migrating its database, or stopped in the middle of that.',
    'Wait until Ghost has started, or restart it, then try again.',
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
    'Make the change in the source, or stop following with "prepress follow --detach".',
  ),
  MEMBERS_WOULD_LOSE: failed(
    'The import would erase data of members.',
    'Nothing was changed. Add --yes to go ahead, or leave out --replace to fill empty fields only.',
  ),
  BULK_HALF_DONE: failed(
    'Work on many members stopped halfway.',
    'What was done stays. Fix the cause, then start the same work again.',
  ),
  SOURCE_IS_ANOTHER: failed(
    'The source holds a different site from the one that the publication follows.',
    'Correct its address. For another site, and for a Ghost that was installed anew and has new ids, run "prepress init" with another database.',
  ),
  FILE_FAILED: failed(
    'A file could not be read or written.',
    'Check space, permissions and the limit of open files and try again.',
  ),
  FILE_EXISTS: failed('The file already exists.', 'Choose another name.'),
  PORT_IN_USE: failed('The port is in use.', 'Choose another with --port.'),
  NOT_FOUND: http(404, 'NotFoundError', 'Nothing exists under that id, slug or address.'),
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
    'The request body has a type that Prepress does not read.',
  ),
  TOO_MANY_REQUESTS: http(429, 'TooManyRequestsError', 'Too many attempts.', 'Try again later.'),
  LIST_TOO_SLOW: later(
    'A filter, search or order of an admin list took too long.',
    'Use fewer conditions, or exact values instead of parts of texts. If the server was busy, try again.',
  ),
  MAIL_FAILED: http(
    503,
    'EmailError',
    'A mail could not be sent; what depends on it was not saved.',
    'Check the setting "smtp" and the mail server and try again.',
  ),
  THREAD_ENDED: failed(
    'A worker thread ended without an answer.',
    'Try again. If it ends again, check the memory of the machine, and report it with the log.',
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
