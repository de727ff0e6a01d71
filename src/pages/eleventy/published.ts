// The publication as templates see it, from the files of a site that is published elsewhere. What was read is kept beside the
// project, so that a build, and each one while Eleventy watches, reads what changed.
import * as z from 'zod';
import { PrepressError } from '../../base/errors.ts';
import { asDiskError } from '../../base/files/disk-error.ts';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { compareCodeUnits, compareText } from '../../base/text/collation.ts';
import { openContent } from '../../content/client/open-content.ts';
import type { Resource } from '../../content/client/types.ts';
import { NEWEST } from './publication.ts';

/** In the project's folder; hosts of builds keep `.cache`. */
const KEPT = '.cache/prepress/published.json';

const itemsSchema = z.array(z.looseObject({ id: z.string() }));

type Item = z.infer<typeof itemsSchema>[number];

const keptSchema = z.object({
  from: z.string(),
  token: z.string(),
  settings: z.looseObject({}),
  posts: itemsSchema,
  pages: itemsSchema,
  tags: itemsSchema,
  authors: itemsSchema,
});

type From = { readonly from: string; readonly contentKey?: string | undefined };

/** Throws SOURCE_UNREACHABLE for a site that cannot be read, FILE_FAILED for the disk. */
export const readPublished = async ({ from, contentKey }: From, file = KEPT) => {
  const found = readJsonFile(keptSchema, file);
  const known = found?.from === from ? found : null;
  const content = openContent(from, contentKey === undefined ? {} : { contentKey });
  const { isFull, token, ...delta } = await content.sync(known?.token).catch((cause: Error) => {
    throw new PrepressError('SOURCE_UNREACHABLE', cause.message, { cause });
  });
  const merged = (name: Resource): Item[] => {
    const records = new Map(known?.[name].map((record) => [record.id, record]));
    if (isFull) records.clear();
    for (const id of delta[name].deletions) records.delete(id);
    for (const record of delta[name].upserts) records.set(record.id, { ...record });
    return [...records.values()];
  };
  const by = (name: Resource, key: string): Item[] =>
    merged(name).sort(
      (a, b) => compareText(`${a[key]}`, `${b[key]}`) || compareCodeUnits(a.id, b.id),
    );
  const posts = merged('posts').sort(
    (a, b) => timeOf(b) - timeOf(a) || compareCodeUnits(b.id, a.id),
  );
  const settings = delta.settings ?? known?.settings ?? {};
  const lists = {
    pages: by('pages', 'title'),
    tags: by('tags', 'name'),
    authors: by('authors', 'name'),
  };
  keep(file, { from, token, settings, posts, ...lists });
  return { posts, ...lists, newest: posts.slice(0, NEWEST), settings };
};

const keep = (file: string, kept: z.input<typeof keptSchema>): void => {
  try {
    writeWhole(file, JSON.stringify(kept));
  } catch (cause) {
    throw asDiskError(cause, { code: 'FILE_FAILED', place: file });
  }
};

const timeOf = ({ published_at }: Item): number => Date.parse(String(published_at));
