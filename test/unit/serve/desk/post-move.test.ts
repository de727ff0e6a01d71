import { describe, expect, test } from 'vitest';
import { createRecordUrls } from '../../../../src/publication/documents/urls.ts';
import type { PostSource } from '../../../../src/publication/tables/rows.ts';
import {
  addressOf,
  doneOf,
  type Move,
  questionOf,
} from '../../../../src/serve/desk/views/posts/post-move.ts';
import type { AnyPost } from '../../../../src/serve/desk/views/posts/writing/post-draft.ts';

const NOW = '2030-01-02T03:04:05.000Z';
const SITE = { url: 'https://sea.example/blog/', permalinks: '/{year}/{slug}/' };

const postOf = (fields: object = {}): AnyPost =>
  ({
    ...{ id: 'a1', title: 'Salt', slug: 'salt', status: 'draft', published_at: null },
    ...{ tags: [], authors: [], visibility: 'public', url: 'https://sea.example/p/1/' },
    ...fields,
  }) as unknown as AnyPost;

const factsOf = (post: AnyPost, move: Move): Record<string, string> =>
  Object.fromEntries(
    questionOf({ post, move }, { ...SITE, root: 'posts', now: NOW, zone: 'Asia/Kathmandu' }).facts,
  );

describe('what is asked before a move', () => {
  test('names title, address, readers and time of what is published', () => {
    expect(factsOf(postOf(), { status: 'published' })).toEqual({
      Title: 'Salt',
      Address: 'https://sea.example/blog/2030/salt/',
      Readers: 'Everyone',
      Time: 'Now',
    });
    const dated = postOf({ published_at: '2020-05-06T12:00:00.000Z', visibility: 'paid' });
    expect(factsOf(dated, { status: 'published' })).toMatchObject({
      Address: 'https://sea.example/blog/2020/salt/',
      Readers: 'Paying members',
      Time: expect.stringMatching(/^Now, with its date of 6 May 2020/),
    });
    const ahead = postOf({ published_at: '2040-05-06T12:00:00.000Z' });
    expect(factsOf(ahead, { status: 'published' }).Time).toBe('Now');
  });

  test('names when a post appears, and the tiers that may read it', () => {
    const post = postOf({ visibility: 'tiers', tiers: [{ name: 'Gold' }, { name: 'Silver' }] });
    const move = { status: 'scheduled', published_at: '2041-02-03T12:00:00.000Z' } as const;
    expect(factsOf(post, move)).toMatchObject({
      Address: 'https://sea.example/blog/2041/salt/',
      Readers: 'Members of Gold, Silver',
      Time: expect.stringMatching(/^3 Feb 2041, 17:45, Asia\/Kathmandu/),
    });
  });

  test('names where readers find what is taken back', () => {
    const post = postOf({ status: 'published', url: 'https://sea.example/blog/2030/salt/' });
    expect(factsOf(post, { status: 'draft' }).Address).toBe('https://sea.example/blog/2030/salt/');
  });
});

test('the address is the one that the server makes', () => {
  const tags = [{ slug: 'tide', visibility: 'public' }];
  const hidden = [{ slug: 'hash-tide', visibility: 'internal' }];
  const authors = [{ slug: 'ada' }];
  const patterns = ['/{slug}/', '{year}/{month}/{day}/{slug}', '/{primary_tag}/{slug}/'];
  for (const permalinks of [...patterns, '/a/{primary_author}/{id}/']) {
    for (const linked of [
      { tags, authors },
      { tags: hidden, authors },
      { tags: [], authors: [] },
    ]) {
      for (const [root, type] of [
        ['posts', 'post'],
        ['pages', 'page'],
      ] as const) {
        const post = postOf(linked);
        const source = { post: { ...post, type }, ...linked } as unknown as PostSource;
        const { post: urlOf } = createRecordUrls({
          siteUrl: 'https://sea.example/blog',
          permalinks,
        });
        expect(addressOf(post, NOW, { ...SITE, permalinks, root })).toBe(
          urlOf(source, Date.parse(NOW)),
        );
      }
    }
  }
});

test('a page is announced only where builds write pages', () => {
  const post = { status: 'published' } as AnyPost;
  expect(doneOf(post, { hasPages: true })).toMatch(/The page follows/);
  expect(doneOf(post, { hasPages: false })).toBe('Saved and published.');
});
