// Labelling a few members, or tagging a few posts, costs the same however many have the label or the tag.
import { expect, test } from 'vitest';
import { withoutTag } from '../../../../src/publication/store/content/post-bulk.ts';
import { db } from '../../../../src/publication/store/db.ts';
import { withoutLabel } from '../../../../src/publication/store/members/member-bulk.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('who lacks a label is looked up member by member', async () => {
  const { shell, store } = await createPublication();
  const query = withoutLabel(['a'], 'b').compile(db(store));
  const rows = shell.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...query.parameters);
  const plan = (rows as { detail: string }[]).map(({ detail }) => detail);
  expect(plan.filter((line) => /^SEARCH/.test(line))).toEqual([
    expect.stringMatching(/^SEARCH members .*\(id=\?\)/),
    expect.stringMatching(/^SEARCH own .*\(label_id=\? AND member_id=\?\)/),
  ]);
});

test('which posts lack a tag is looked up post by post', async () => {
  const { shell, store } = await createPublication();
  const query = withoutTag(['a'], 'b').compile(db(store));
  const rows = shell.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...query.parameters);
  const plan = (rows as { detail: string }[]).map(({ detail }) => detail);
  expect(plan.filter((line) => /^SEARCH/.test(line))).toEqual([
    expect.stringMatching(/^SEARCH own .*\(tag_id=\? AND post_id=\?\)/),
  ]);
});
