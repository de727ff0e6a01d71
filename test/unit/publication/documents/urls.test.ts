// Addresses of records, and the placeholder of the site's own address.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSiteUrlResolver } from '../../../../src/publication/documents/site-url.ts';
import { createRecordUrls } from '../../../../src/publication/documents/urls.ts';
import { createAuthor, createSource, createTag, SITE_URL } from './sources.ts';

const PUBLISHED = Date.parse('2026-01-31T23:30:00.000Z');

afterEach(() => vi.unstubAllEnvs());

describe('createRecordUrls', () => {
  const urls = createRecordUrls({ siteUrl: SITE_URL, permalinks: '/{slug}/' });

  it.each([
    ['plain', 'a-slug', '/a-slug/'],
    ['letters of any script', 'größe-日本', '/größe-日本/'],
    ['what a URL cannot hold', 'a b?c#d%e/f"<>', '/a%20b%3Fc%23d%25e%2Ff%22%3C%3E/'],
  ])('puts posts at the root: %s', (_, slug, path) => {
    const url = urls.post(createSource({ slug }), PUBLISHED);
    expect(url).toBe(SITE_URL + path);
    expect(new URL(url).origin).toBe(SITE_URL);
  });

  it('puts tags and authors under their folders, internal tags nowhere', () => {
    expect(urls.tag(createTag({ slug: 'news' }))).toBe(`${SITE_URL}/tag/news/`);
    expect(urls.tag(createTag({ visibility: 'internal' }))).toBe(`${SITE_URL}/404/`);
    expect(urls.author(createAuthor({ slug: 'ann' }))).toBe(`${SITE_URL}/author/ann/`);
  });

  it('keeps the path of the site', () => {
    const below = createRecordUrls({ siteUrl: `${SITE_URL}/blog`, permalinks: '/{slug}/' });
    expect(below.post(createSource(), PUBLISHED)).toBe(`${SITE_URL}/blog/a-slug/`);
    expect(below.tag(createTag({ visibility: 'internal' }))).toBe(`${SITE_URL}/blog/404/`);
  });

  it.each([
    ['/{year}/{month}/{day}/{slug}/', '/2026/01/31/a-slug/'],
    ['{year}/{slug}', '/2026/a-slug/'],
    ['/{id}/', '/6b00f67a8df29a0456bf5f70/'],
    ['/news/{primary_tag}/{slug}/', '/news/alpha/a-slug/'],
    ['/{primary_author}/{slug}/', '/an-author/a-slug/'],
  ])('follows the pattern %s, dates in UTC', (permalinks, path) => {
    vi.stubEnv('TZ', 'Pacific/Kiritimati');
    const { post } = createRecordUrls({ siteUrl: SITE_URL, permalinks });
    expect(post(createSource(), PUBLISHED)).toBe(SITE_URL + path);
  });

  it('says "all" where there is no primary tag or author', () => {
    const { post } = createRecordUrls({
      siteUrl: SITE_URL,
      permalinks: '/{primary_tag}/{primary_author}/{slug}/',
    });
    const source = createSource();
    const internal = [createTag({ visibility: 'internal' }), createTag()];
    expect(post({ ...source, tags: [], authors: [] }, 0)).toBe(`${SITE_URL}/all/all/a-slug/`);
    expect(post({ ...source, tags: internal }, 0)).toBe(`${SITE_URL}/all/an-author/a-slug/`);
  });

  it('leaves pages out of the pattern', () => {
    const { post } = createRecordUrls({ siteUrl: SITE_URL, permalinks: '/{year}/{slug}/' });
    expect(post(createSource({ type: 'page' }), PUBLISHED)).toBe(`${SITE_URL}/a-slug/`);
  });

  it.each(['/{weekday}/{slug}/', '/{constructor}/'])('refuses the pattern %s', (permalinks) => {
    expect(() => createRecordUrls({ siteUrl: SITE_URL, permalinks })).toThrowError(
      expect.objectContaining({ code: 'CONFIG_INVALID', property: 'permalinks' }),
    );
  });
});

describe('createSiteUrlResolver', () => {
  it('replaces every placeholder, also by addresses that hold a replacement pattern', () => {
    const { text } = createSiteUrlResolver('https://press.test/$&');
    expect(text('__GHOST_URL__/a __GHOST_URL__/b')).toBe(
      'https://press.test/$&/a https://press.test/$&/b',
    );
  });

  it('reads what other writers leave in text columns', () => {
    const { text, nullableText } = createSiteUrlResolver(SITE_URL);
    expect(text(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb');
    expect(text(Uint8Array.of(0x61, 0x62))).toBe('ab');
    expect(text(12)).toBe('12');
    expect(text(null)).toBe('');
    expect(nullableText('')).toBe(null);
  });
});
