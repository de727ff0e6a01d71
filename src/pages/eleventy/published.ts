// The publication as templates see it, from the files of a site that is published elsewhere. What was read is kept beside the
// project, so that a build, and each one while Eleventy watches, reads what changed.
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { compareCodeUnits, compareText } from '../../base/text/collation.ts';
import { openContent } from '../../content/client/open-content.ts';
import type { Delta, Resource } from '../../content/client/types.ts';
import { NEWEST } from './publication.ts';

/** In the project's folder; hosts of builds keep `.cache`. */
const KEPT = '.cache/prepress/published.json';

const record = z.looseObject({ id: z.string(), slug: z.string() });
type Item = z.infer<typeof record>;
const records = z.record(z.string(), record);
const kept = z.object({
  from: z.string(),
  token: z.string(),
  posts: records,
  pages: records,
  tags: records,
  authors: records,
  settings: z.looseObject({}),
});

type From = { readonly from: string; readonly contentKey?: string | undefined };

export const readPublished = async ({ from, contentKey }: From, file = KEPT) => {
  const found = readJsonFile(kept, file);
  const known = found?.from === from ? found : null;
  const content = openContent(from, contentKey === undefined ? {} : { contentKey });
  const delta = await content.sync(known?.token);
  const all = (name: Resource) => merge(delta.isFull ? {} : (known?.[name] ?? {}), delta[name]);
  const parts = {
    posts: all('posts'),
    pages: all('pages'),
    tags: all('tags'),
    authors: all('authors'),
  };
  const settings = delta.settings ?? known?.settings ?? {};
  writeWhole(file, JSON.stringify({ from, token: delta.token, ...parts, settings }));
  const by = (name: Resource, key: string): Item[] =>
    Object.values(parts[name]).sort(
      (a, b) => compareText(`${a[key]}`, `${b[key]}`) || compareCodeUnits(a.id, b.id),
    );
  const posts = Object.values(parts.posts).sort(
    (a, b) => timeOf(b) - timeOf(a) || compareCodeUnits(b.id, a.id),
  );
  const lists = {
    posts,
    pages: by('pages', 'title'),
    tags: by('tags', 'name'),
    authors: by('authors', 'name'),
  };
  return { ...lists, newest: posts.slice(0, NEWEST), settings };
};

const timeOf = ({ published_at }: Item): number => Date.parse(String(published_at));

const merge = (before: Readonly<Record<string, Item>>, { upserts, deletions }: Delta[Resource]) => {
  const after = new Map<string, Item>(Object.entries(before));
  for (const id of deletions) after.delete(id);
  for (const one of upserts) after.set(one.id, { ...one });
  return Object.fromEntries(after);
};
