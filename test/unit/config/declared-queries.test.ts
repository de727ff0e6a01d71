// The setting `queries`: what is declared, and which sentence refuses what.
import { expect, test } from 'vitest';
import { declaredQueriesOf } from '../../../src/config/declared-queries.ts';
import { loadConfig } from '../../../src/config/load.ts';

test('a query is declared in normal form', () => {
  const query = {
    resource: 'posts',
    filter: " tag: '{slug}' + featured:true",
    include: ['tags', 'authors'],
    fields: 'title, slug',
    formats: 'html',
    order: 'Title DESC',
    limit: 15,
    pages: 'all',
  };
  const config = loadConfig({ environment: {}, flags: { queries: [query] } });
  expect(declaredQueriesOf(config).queries).toEqual([
    {
      resource: 'posts',
      parameters: [
        ['fields', 'slug,title'],
        ['filter', 'tag:{slug}+featured:true'],
        ['formats', 'html'],
        ['include', 'authors,tags'],
        ['limit', '15'],
        ['order', 'title desc'],
      ],
      pattern: 'tag',
      pages: 'all',
      name: expect.stringMatching(
        /^fields-slug-title-filter-tag-slug-featured-true-.*-[0-9a-f]{8}$/,
      ),
    },
  ]);
});
