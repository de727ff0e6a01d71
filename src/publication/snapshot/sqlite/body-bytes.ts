// How long the bodies of published posts and pages are, read from the heads of their rows: no body is read.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import type { Snapshot } from '../snapshot.ts';

export const readBodyBytes = ({ prepare }: Preparing): Pick<Snapshot, 'longestBodies'> => {
  const select = (and: string) => `SELECT octet_length(html) AS bytes FROM posts
    WHERE status = 'published' AND html IS NOT NULL ${and} ORDER BY bytes DESC LIMIT ?`;
  return {
    longestBodies: (ids, count) =>
      ids === 'all'
        ? (prepare(select('')).pluck().all(count) as number[])
        : (prepare(select('AND id IN (SELECT value FROM json_each(?))'))
            .pluck()
            .all(JSON.stringify(ids), count) as number[]),
  };
};
