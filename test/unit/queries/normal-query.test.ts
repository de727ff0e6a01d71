// One text for queries that mean the same, and queries that a default list answers.
import { expect, test } from 'vitest';
import { parseListQuery } from '../../../src/queries/list-query.ts';
import {
  fileIncludes,
  findDefaultList,
  normaliseListQuery,
} from '../../../src/queries/normal-query.ts';
import type { ListResource } from '../../../src/queries/resource.ts';
import { makeQuery } from '../../helpers/made-query.ts';
import { makeOddPublication, ODD_NOW, pick } from '../../helpers/odd-records.ts';
import { createRandom, SEED } from '../../helpers/random.ts';

const OPTIONS = { max: 100, nowMs: ODD_NOW };

const normalise = (rawQuery: string, resource: ListResource = 'posts'): string =>
  normaliseListQuery(resource, rawQuery, OPTIONS);

test.each([
  ['', ''],
  ['limit=all&page=0&order=published_at+desc&formats=html&key=secret&v=5', ''],
  ['limit=100', ''],
  ['limit=5&include=tags%2CAUTHORS&page=2', 'include=authors,tags&limit=5&page=2'],
  ['fields=title,slug,title', 'fields=slug,title'],
  ['fields=title&formats=html', 'fields=title&formats=html'],
  ['fields=html', 'fields=html'],
  ['formats=plaintext,html', 'formats=html,plaintext'],
  ['formats=lexical', 'formats=lexical'],
  // Titles and slugs tell any two records apart.
  ['order=Title+ASC,slug+desc', 'order=title%20asc'],
  ['order=slug asc,title asc', 'order=slug%20asc'],
  ['order=featured desc,featured asc', 'order=featured%20desc'],
  // What is done anyway.
  ['order=featured asc,published_at desc', 'order=featured%20asc'],
  ['order=published_at asc,id asc', 'order=published_at%20asc'],
  ['order=published_at desc,id desc', ''],
  ['order=published_at asc,id desc', 'order=published_at%20asc,id%20desc'],
  ['filter=tag:a+%2B+featured:true', 'filter=tag:a%2Bfeatured:true'],
  ['filter=published_at:>now-7d', 'filter=published_at:%3Enow-7d'],
  ["filter=title:'a  b' , tag:c", "filter=title:'a%20%20b',tag:c"],
  ["filter=title:'it\\'s  %2B x'%2Btag: a", "filter=title:'it%5C's%20%20%2B%20x'%2Btag:a"],
  ['filter=slug:[b,a]&order=published_at desc', 'filter=slug:%5Bb,a%5D&order=published_at%20desc'],
  ['filter=slug:[b,a]', 'filter=slug:%5Bb,a%5D'],
  ['filter=slug:b&order=published_at desc', 'filter=slug:b'],
])('%s is %s', (rawQuery, normal) => {
  expect(normalise(rawQuery)).toBe(normal);
});

test.each([
  ['order=published_at desc,title asc', 'order=published_at%20desc,title%20asc'],
  ['order=updated_at desc,title asc', 'order=updated_at%20desc'],
])('%s of pages is %s', (rawQuery, normal) => {
  expect(normalise(rawQuery, 'pages')).toBe(normal);
});

test('a normal query is its own, and means the same, but for tiers', () => {
  const random = createRandom(SEED);
  const publication = makeOddPublication(random, 30);
  for (let left = 2_000; left > 0; left -= 1) {
    const resource = pick(random, ['posts', 'pages', 'tags', 'authors'] as const);
    const { raw } = makeQuery({ random, publication, resource }, OPTIONS.max);
    const normal = normalise(raw, resource);
    expect(normalise(normal, resource), `${raw} (seed ${SEED})`).toBe(normal);
    const [one, other] = [raw, normal].map((text) => {
      const { order, filter, ...query } = parseListQuery(resource, text, OPTIONS);
      return { ...query, includes: fileIncludes(query), filter };
    });
    expect(other, `${raw} (seed ${SEED})`).toEqual(one);
  }
});

test.each<[ListResource, string, unknown]>([
  ['posts', '', { includes: [], isPublicOnly: false, page: 1 }],
  ['posts', 'limit=all&page=3&include=tags', { includes: ['tags'], isPublicOnly: false, page: 3 }],
  ['posts', 'limit=5000&order=published_at desc', { includes: [], isPublicOnly: false, page: 1 }],
  ['pages', 'order=title asc', { includes: [], isPublicOnly: false, page: 1 }],
  ['tags', 'filter=visibility:public', { includes: [], isPublicOnly: true, page: 1 }],
  [
    'tags',
    "filter=visibility:'public'&include=count.posts",
    { includes: ['count.posts'], isPublicOnly: true, page: 1 },
  ],
  ['authors', 'include=count.posts', { includes: ['count.posts'], isPublicOnly: false, page: 1 }],
  ['posts', 'limit=99', null],
  ['posts', 'order=published_at asc', null],
  ['posts', 'fields=id', null],
  ['posts', 'formats=plaintext', null],
  ['posts', 'formats=html,plaintext', null],
  ['posts', 'filter=visibility:public', null],
  ['tags', 'filter=visibility:internal', null],
  ['tags', 'filter=visibility:-public', null],
  ['tags', 'filter=visibility:public%2Bslug:a', null],
  ['authors', 'filter=visibility:public', null],
])('the default list of %s for %s', (resource, rawQuery, expected) => {
  const query = parseListQuery(resource, rawQuery, OPTIONS);
  expect(findDefaultList(resource, query, OPTIONS.max)).toEqual(expected);
});
