// Lists that have more pages than files are said, with the settings that make more.
import { expect, test } from 'vitest';
import { listPagesLines } from '../../../../../src/cli/commands/output/list-pages-line.ts';
import { publishOnce } from '../../../../../src/publish/cycle/publish-once.ts';
import { createPublishingSite } from '../../../../helpers/publishing-site.ts';

const linesOf = async (flags: Record<string, unknown>): Promise<string[]> => {
  const { deps, insert } = await createPublishingSite([], { 'lists.max': 1, ...flags });
  for (const slug of ['one', 'two', 'three'])
    insert('posts', { slug, status: 'published', published_at: '2026-01-01' });
  await publishOnce(deps);
  return listPagesLines(deps);
};

test.each([
  [{ 'lists.pages': 'auto' }, 'posts 1 of 3'],
  [{ 'lists.pages': 2, hosts: ['nginx'] }, 'posts 2 of 3'],
])('with %j, the files are %s', async (flags, said) => {
  expect(await linesOf(flags)).toEqual([
    expect.stringMatching(`^Pages of lists that are files: ${said}\\..*"hosts".*"lists.pages"`),
  ]);
});

test('nothing is said where a host that runs no code makes all pages files', async () => {
  expect(await linesOf({ 'lists.pages': 'auto', hosts: ['nginx'] })).toEqual([]);
});
