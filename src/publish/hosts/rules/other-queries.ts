// What a host that runs no code says to a query that has no file.
import { NOT_FOUND_FILE } from '../../../content/paths/files.ts';
import { problemBody } from '../../../content/paths/problem-body.ts';
import { COMPANION_AWAY, OTHER_QUERY } from '../../../content/paths/problems.ts';
import type { HostFile, HostQueries, HostSite } from '../host.ts';

export const OTHER_QUERY_BODY = problemBody(OTHER_QUERY);

/** While the companion server that would answer is away. */
export const AWAY_BODY = problemBody(COMPANION_AWAY);

/** For hosts whose rules can name a file as the answer, but not hold one. */
export const OTHER_QUERY_FILE = NOT_FOUND_FILE.replace('404', '400');

export const otherQueryFiles = ({ basePath, queries }: HostSite): HostFile[] =>
  queries.otherQueries === 'refuse'
    ? [
        {
          path: `${basePath}/content/${OTHER_QUERY_FILE}`.slice(1),
          text: OTHER_QUERY_BODY,
          isInOutput: true,
        },
      ]
    : [];

/** For how many seconds readers wait for the companion server: for a connection, and for anything that it sends. */
export const CONNECT_SECONDS = 2;
export const ANSWER_SECONDS = 5;

export type Companion = {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The path of its content folder; that of the site where the address has no path. */
  readonly content: string;
};

type Asked = Pick<HostSite, 'basePath'> & { readonly queries: Pick<HostQueries, 'otherQueries'> };

/** Whether queries that no file answers go to a companion server. */
export const isPassed = ({ otherQueries }: Asked['queries']): boolean =>
  otherQueries !== 'refuse' && otherQueries !== 'ignore';

/** Where such queries are passed on to; null: nowhere. */
export const companionOf = ({ basePath, queries }: Asked): Companion | null => {
  const { otherQueries } = queries;
  if (!isPassed(queries)) return null;
  const { origin, host, hostname, port, pathname, protocol } = new URL(otherQueries);
  const isSecure = protocol === 'https:';
  return {
    origin,
    host,
    hostname,
    port: Number(port) || (isSecure ? 443 : 80),
    isSecure,
    content: `${pathname === '/' ? basePath : pathname.replace(/\/$/, '')}/content`,
  };
};
