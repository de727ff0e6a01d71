// The address of a MySQL or MariaDB database, `mysql://user:password@host:3306/database?ssl=...`: read here
// alone, so that nothing else sees the password, and no message ever shows it.
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';

export type MysqlAddress = {
  /** Without password and options. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** TLS as mysql2 takes it: the name of a profile, or options of Node.js. */
  readonly ssl?: string | Readonly<Record<string, unknown>>;
  readonly socketPath?: string;
};

/** Also of one that is written wrongly, so that it is never taken for a file and shown. */
export const isMysqlAddress = (text: string): boolean => /^(?:mysql|mariadb):/i.test(text);

const PORT = 3306;
const FORM =
  'Write it as mysql://user:password@host/database, with %40 for @, %23 for #, %2F for /';

/** Throws USAGE. */
export const parseMysqlAddress = (text: string): MysqlAddress => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const database = decode(url?.pathname.slice(1) ?? '');
  const user = decode(url?.username ?? '');
  const password = decode(url?.password ?? '');
  // A sign that has to be written otherwise ends the part it stands in.
  const isWhole = url !== null && url.hostname !== '' && url.hash === '' && user && database;
  if (!isWhole || password === null || database.includes('/')) {
    const fault = url === null ? 'cannot be read' : faultOf(text, user, database);
    throw new PrepressError('USAGE', `The address of the database ${fault}. ${FORM}.`);
  }
  const port = url.port === '' ? PORT : Number(url.port);
  return {
    name: `mysql://${user}@${url.hostname}:${port}/${database}`,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    user,
    password,
    database,
    ...readOptions(url.searchParams),
  };
};

const faultOf = (text: string, user: string | null, database: string | null): string => {
  if (!/^\w+:\/\//.test(text)) return 'does not begin with mysql://';
  if (user === '') return 'has no user';
  return database === ''
    ? 'names no database, as in mysql://user:password@host/database'
    : 'cannot be read';
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const sslSchema = z.union([z.record(z.string(), z.unknown()), z.string().min(1)]);

const readOptions = (query: URLSearchParams): Pick<MysqlAddress, 'ssl' | 'socketPath'> => {
  const unknown = [...query.keys()].find((key) => key !== 'ssl' && key !== 'socketPath');
  if (unknown !== undefined) {
    const sentence = `The address of the database may have the options ssl (such as ?ssl=true) and socketPath, not ${unknown}.`;
    throw new PrepressError('USAGE', sentence);
  }
  const [ssl, socketPath] = [query.get('ssl'), query.get('socketPath')];
  return {
    ...(ssl !== null && { ssl: readSsl(ssl) }),
    ...(socketPath !== null && { socketPath }),
  };
};

export const SSL_FORMS =
  'it must be true, JSON such as {"rejectUnauthorized":true}, or a profile of the driver such as "Amazon RDS".';

/** As mysql2 reads it: JSON, else the name of a profile; `true` is TLS with its defaults. */
const readSsl = (text: string): string | Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return sslSchema.parse(value === true ? {} : value);
  } catch {
    if (/^\w[\w .-]*$/.test(text) && text !== 'false') return text;
    throw new PrepressError('USAGE', `The option ssl of the address cannot be used: ${SSL_FORMS}`);
  }
};
