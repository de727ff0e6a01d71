// The script that one would write first: asks for each post's authors and tags, serialises every variant,
// and waits for each file. Lists are serialised whole. Arguments: database, folder to write to.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadDriver } from '../src/base/sqlite/driver.ts';

const [databasePath = '', target = ''] = process.argv.slice(2);
const database = new (loadDriver())(databasePath, { readonly: true });
type Row = Readonly<Record<string, unknown>>;

const linked = (table: string, pivot: string, column: string) =>
  database.prepare(
    `SELECT t.* FROM ${pivot} l JOIN ${table} t ON t.id = l.${column}
     WHERE l.post_id = ? ORDER BY l.sort_order`,
  );
const tagsOf = linked('tags', 'posts_tags', 'tag_id');
const authorsOf = linked('users', 'posts_authors', 'author_id');
const posts = database
  .prepare("SELECT * FROM posts WHERE status = 'published' ORDER BY published_at DESC")
  .all() as Row[];

const lists: Record<string, Row[]> = { index: [], authors: [], tags: [], 'authors-tags': [] };
for (const post of posts) {
  const authors = authorsOf.all(post.id) as Row[];
  const tags = tagsOf.all(post.id) as Row[];
  const variants: Record<string, Row> = {
    index: post,
    authors: { ...post, authors, primary_author: authors[0] },
    tags: { ...post, tags, primary_tag: tags[0] },
    'authors-tags': {
      ...post,
      authors,
      tags,
      primary_author: authors[0],
      primary_tag: tags[0],
    },
  };
  for (const folder of [`posts/${post.id}`, `posts/slug/${post.slug}`]) {
    await mkdir(join(target, folder), { recursive: true });
    for (const [name, document] of Object.entries(variants)) {
      const text = JSON.stringify({ posts: [document] });
      await writeFile(join(target, folder, `${name}.json`), text);
    }
  }
  for (const [name, document] of Object.entries(variants)) lists[name]?.push(document);
}
for (const [name, list] of Object.entries(lists)) {
  await writeFile(join(target, 'posts', `${name}.json`), JSON.stringify({ posts: list }));
}
