// A query that the companion server was asked, as the interface and the command line show it.
import type { AskedQuery } from '../store/asked-queries.ts';

export const showAskedQuery = ({ resource, query, count, askedAt }: AskedQuery) => ({
  resource,
  query,
  count,
  last_asked_at: new Date(askedAt).toISOString(),
});
