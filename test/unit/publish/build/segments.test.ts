// Which of some slugs that differ only in case keeps its name, in a full build and in one of an edit.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeAll } from '../../../../src/publish/build/render/segments.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { buildInto, readTree } from '../../../helpers/tree.ts';

const idOf = (at: number): string => at.toString(16).padStart(24, '0');

const segmentsOf = (slugs: readonly string[]): string[] =>
  placeAll(slugs.map((slug, at) => ({ id: idOf(at), slug, ms: 0 }))).map(({ segment }) =>
    segment.replace(/^~.*/, '~'),
  );

test.each([
  [
    ['twin', 'Twin', 'other'],
    ['twin', '~', 'other'],
  ],
  [
    ['Twin', 'twin', 'TWIN'],
    ['Twin', '~', '~'],
  ],
  [
    ['con', 'Con'],
    ['~', '~'],
  ],
  [
    [`${'É'.repeat(128)}`, `${'é'.repeat(128)}`],
    ['~', '~'],
  ],
])('of %j the oldest that can be a name keeps it: %j', (slugs, segments) => {
  expect(segmentsOf(slugs)).toEqual(segments);
});

test('a new slug leaves the old name where it is, and gets it when the old one goes', async () => {
  const publication = await createPublication();
  const folder = join(temporaryFolder(), 'output');
  const full = join(temporaryFolder(), 'output');
  const post = (at: number, slug: string) =>
    publication.insert('posts', {
      id: idOf(at),
      slug,
      title: slug,
      status: 'published',
      published_at: `2026-01-0${at}T10:00:00.000Z`,
    });
  const named = (slug: string): string | null => {
    const file = join(folder, 'content/posts/slug', slug, 'index.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).posts[0].slug : null;
  };
  const hashed = (): string[] => {
    const manifest = openManifest(join(folder, 'build.db'));
    const slugs = manifest.storedSegments().map(({ slug }) => slug);
    manifest.close();
    return slugs;
  };
  post(2, 'twin');
  await buildInto(publication.store, folder);
  post(3, 'Twin');
  await buildInto(publication.store, folder);
  expect([named('twin'), named('Twin'), hashed()]).toEqual(['twin', null, ['Twin']]);
  post(1, 'TWIN');
  await buildInto(publication.store, folder);
  expect([named('TWIN'), named('twin'), hashed().sort()]).toEqual(['TWIN', null, ['Twin', 'twin']]);
  publication.shell.exec("DELETE FROM posts WHERE slug IN ('TWIN', 'twin')");
  await buildInto(publication.store, folder);
  expect([named('Twin'), hashed()]).toEqual(['Twin', []]);
  await buildInto(publication.store, full);
  expect([...readTree(join(folder, 'content'))]).toEqual([...readTree(join(full, 'content'))]);
});
