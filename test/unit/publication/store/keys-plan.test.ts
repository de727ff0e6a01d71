// What an edit asks of a few records costs the same however many there are.
import { expect, test } from 'vitest';
import { RESOURCES } from '../../../../src/content/paths/endpoints.ts';
import { openSnapshot } from '../../../../src/publication/snapshot/open-snapshot.ts';
import { keysOfQuery } from '../../../../src/publication/snapshot/sqlite/content-keys.ts';
import { createPublication } from '../../../helpers/publication.ts';

test.each([false, true])('the keys of a few records are looked up; statistics: %s', async (has) => {
  const { shell, insert, path } = await createPublication();
  const ids: string[] = [];
  shell.transaction(() => {
    for (let at = 0; at < 3_000; at += 1) {
      ids.push(insert('posts', { status: 'published', published_at: '2026-01-01' }));
    }
  })();
  if (has) shell.exec('ANALYZE');
  for (const resource of RESOURCES) {
    const rows = shell.prepare(`EXPLAIN QUERY PLAN ${keysOfQuery(shell, resource)}`).all('[]');
    const plan = (rows as { detail: string }[]).map(({ detail }) => detail);
    expect(plan.filter((line) => /^SEARCH (?:posts|tags|users) .*\(id=\?/.test(line))).toHaveLength(
      1,
    );
    expect(plan.filter((line) => /SCAN (?!json_each)|posts_by_status/.test(line))).toEqual([]);
  }
  const snapshot = openSnapshot(path);
  const few = ids.slice(0, 2);
  expect(snapshot.keysOf('posts', few).map(({ id }) => id)).toEqual(few);
  expect(snapshot.keysOf('pages', few)).toEqual([]);
  snapshot.close();
});
