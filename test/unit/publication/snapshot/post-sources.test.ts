// What a snapshot hands out of posts: whole bodies as bytes, as much plain text as an excerpt is made of, and
// related records in their order.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { toText } from '../../../../src/base/text/stored-text.ts';
import { cutExcerpt } from '../../../../src/publication/documents/html/plaintext.ts';
import { createSiteUrlResolver } from '../../../../src/publication/documents/site-url.ts';
import { openSnapshot } from '../../../../src/publication/snapshot/open-snapshot.ts';
import type { PostSource } from '../../../../src/publication/tables/rows.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

const readSources = ({ path }: Pick<Publication, 'path'>, ids: readonly string[]): PostSource[] => {
  const snapshot = openSnapshot(path);
  try {
    return snapshot.sources('posts', ids);
  } finally {
    snapshot.close();
  }
};

const excerptOf = (plaintext: unknown): string =>
  cutExcerpt(createSiteUrlResolver('https://a.b').text(plaintext));

/** As a dump makes that is read into a database of another encoding. */
const copyInUtf16 = ({ shell, folder }: Publication): string => {
  const path = join(folder, 'utf16.db');
  const copy = new (loadDriver())(path);
  copy.pragma("encoding = 'UTF-16le'");
  const schema = shell
    .prepare('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid')
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name, sql } of schema.filter((one) => !one.name.startsWith('sqlite_'))) {
    copy.exec(sql);
    if (type !== 'table') continue;
    for (const row of shell.prepare(`SELECT * FROM "${name}"`).raw().all() as unknown[][]) {
      copy.prepare(`INSERT INTO "${name}" VALUES (${row.map(() => '?').join()})`).run(...row);
    }
  }
  copy.close();
  return path;
};

describe('a post', () => {
  it('has enough plain text for its excerpt', async () => {
    const publication = await createPublication();
    const units = ['a', 'é', '字', '🚀', '__GHOST_URL__', ' '];
    const texts = fc.sample(
      fc.array(fc.tuple(fc.constantFrom(...units), fc.integer({ min: 1, max: 700 })), {
        minLength: 1,
        maxLength: 6,
      }),
      { numRuns: 150, seed: 1 },
    );
    const plain = texts.map((parts) => parts.map(([unit, count]) => unit.repeat(count)).join(''));
    const ids = plain.map((plaintext) =>
      publication.insert('posts', { plaintext, html: `<p>${plaintext}</p>` }),
    );
    const sources = readSources(publication, ids);
    expect(sources).toHaveLength(plain.length);
    for (const [at, { post }] of sources.entries()) {
      expect(excerptOf(post.plaintext)).toBe(excerptOf(plain[at]));
      expect(toText(post.html)).toBe(`<p>${plain[at]}</p>`);
    }
  });

  it('is text in a database that keeps text in UTF-16', async () => {
    const publication = await createPublication();
    const html = '<p>“字”</p>';
    const ids = [publication.insert('posts', { html, plaintext: '“字”'.repeat(1_000) })];
    const [post] = readSources({ path: copyInUtf16(publication) }, ids);
    expect(toText(post?.post.html)).toBe(html);
    expect(excerptOf(post?.post.plaintext)).toBe('“字”'.repeat(167).slice(0, 500));
  });

  it('is linked in order, once to each, and to nothing that is no id', async () => {
    const publication = await createPublication();
    const { insert, shell } = publication;
    const [first = '', second = '', third = ''] = [1, 2, 3].map(() => insert('tags', {}));
    const ids = [insert('posts', {}), insert('posts', {})];
    const tied = [1, 2, 3].map(() => insert('tags', {}));
    const link = (post_id: string | undefined, tag_id: unknown, sort_order: number) =>
      insert('posts_tags', { post_id, tag_id, sort_order });
    shell.pragma('foreign_keys = OFF');
    link(ids[0], third, 0);
    link(ids[0], first, 2);
    link(ids[0], second, 1);
    expect(() => link(ids[0], third, 3)).toThrow('UNIQUE');
    for (const [at, tag_id] of tied.entries()) {
      const id = `${tied.length - at}`.padStart(24, '0');
      insert('posts_tags', { id, post_id: ids[0], tag_id, sort_order: 4 });
    }
    link(ids[0], Buffer.from(first), -1);
    link(ids[0], 'gone', -2);
    link(ids[1], second, 0);
    const sources = readSources(publication, [...ids].reverse());
    expect(sources.map(({ post, tags }) => [post.id, tags.map(({ id }) => id)])).toEqual([
      [ids[1], [second]],
      [ids[0], [third, second, first, ...tied.reverse()]],
    ]);
  });
});
