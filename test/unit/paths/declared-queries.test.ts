// Names of declared queries, and of their files.
import { expect, test } from 'vitest';
import {
  declaredFile,
  findDeclaredFile,
  UNKNOWN_SEGMENT,
} from '../../../src/paths/declared-queries.ts';

test('a file tells its query, page and slug', () => {
  const query = { resource: 'posts', name: 'filter-tag-slug' } as const;
  const places = [
    ['posts/q/filter-tag-slug/index.json', { page: 1, segment: null }],
    ['posts/q/filter-tag-slug/page-2.json', { page: 2, segment: null }],
    ['posts/q/filter-tag-slug/news/page-12.json', { page: 12, segment: 'news' }],
    ['posts/q/filter-tag-slug/~/index.json', { page: 1, segment: UNKNOWN_SEGMENT }],
    ['posts/q/filter-tag-slug/index.json/index.json', { page: 1, segment: 'index.json' }],
  ] as const;
  for (const [file, place] of places) {
    expect(declaredFile(query, place)).toBe(file);
    expect(findDeclaredFile(file)).toEqual({ ...query, ...place });
  }
});
