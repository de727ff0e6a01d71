// What errors of MySQL, MariaDB and the network mean to whoever reads them: one sentence under one code.
// Only codes of the driver are shown, never its texts, which may quote a query.
import { codeOf, findSystemWords } from '../../../base/error-code.ts';
import { type ErrorCode, PrepressError } from '../../../base/errors.ts';

type Meaning = readonly [ErrorCode, (name: string) => string];

const LOST: Meaning = ['SOURCE_LOST', (name) => `The connection to ${name} was lost`];
const DENIED: Meaning = [
  'SOURCE_NO_PERMISSION',
  (name) => `The user of ${name} may not read all tables of the database`,
];
const UNREACHABLE: Meaning = ['SOURCE_UNREACHABLE', (name) => `${name} cannot be reached`];
const BUSY: Meaning = ['SOURCE_BUSY', (name) => `A table of ${name} stayed locked`];
const MIGRATING: Meaning = [
  'SOURCE_MIGRATING',
  (name) => `The schema of ${name} was changed while it was read`,
];
const LOGIN: Meaning = [
  'SOURCE_UNREACHABLE',
  (name) => `The database server refuses the login for ${name}`,
];
const TLS: Meaning = [
  'SOURCE_UNREACHABLE',
  (name) => `The server of ${name} and the option ssl of the address do not agree`,
];

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ER_ACCESS_DENIED_ERROR: LOGIN,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: LOGIN,
  ER_HOST_NOT_PRIVILEGED: LOGIN,
  ER_MUST_CHANGE_PASSWORD_LOGIN: LOGIN,
  ER_ACCOUNT_HAS_BEEN_LOCKED: LOGIN,
  ER_NOT_SUPPORTED_AUTH_MODE: LOGIN,
  AUTH_SWITCH_PLUGIN_ERROR: LOGIN,
  ER_DBACCESS_DENIED_ERROR: DENIED,
  ER_TABLEACCESS_DENIED_ERROR: DENIED,
  ER_COLUMNACCESS_DENIED_ERROR: DENIED,
  ER_SPECIFIC_ACCESS_DENIED_ERROR: DENIED,
  ER_BAD_DB_ERROR: ['SOURCE_NOT_GHOST', (name) => `There is no database ${name}`],
  ER_NO_SUCH_TABLE: MIGRATING,
  ER_BAD_FIELD_ERROR: MIGRATING,
  ER_TABLE_DEF_CHANGED: MIGRATING,
  ER_LOCK_WAIT_TIMEOUT: BUSY,
  ER_CON_COUNT_ERROR: ['SOURCE_BUSY', (name) => `${name} has no connection free`],
  ER_TOO_MANY_USER_CONNECTIONS: ['SOURCE_BUSY', (name) => `${name} has no connection free`],
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOENT: UNREACHABLE,
  EACCES: UNREACHABLE,
  HANDSHAKE_NO_SSL_SUPPORT: TLS,
  HANDSHAKE_SSL_ERROR: TLS,
  ER_SECURE_TRANSPORT_REQUIRED: TLS,
};

/** Reads an error of the driver; while a connection is being made, whatever is unknown is unreachable. */
export const asMysqlError = (
  name: string,
  cause: unknown,
  when: 'connecting' | 'reading',
): PrepressError => {
  if (cause instanceof PrepressError) return cause;
  const code = codeOf(cause);
  const isTls = /CERT|TLS|SSL/.test(code);
  const other = isTls ? TLS : when === 'connecting' ? UNREACHABLE : LOST;
  const [ours, sentenceOf] = MEANINGS[code] ?? other;
  const isAway = ours === 'SOURCE_UNREACHABLE' && findSystemWords(code) !== null;
  return new PrepressError(ours, `${sentenceOf(name)}${code === '' ? '' : ` (${code})`}.`, {
    cause,
    ...(isAway && { hint: 'Check the address, and that its server runs, and try again.' }),
  });
};
