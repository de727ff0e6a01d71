// Tags: create, edit, delete (facts section 9, decisions, Admin).
import { notFound } from '../../../base/errors.ts';
import {
  deleteTagRow,
  type FullTagRow,
  findTagById,
  updateTag,
} from '../../../publication/store/content/tags.ts';
import type { TagCreateInput, TagEditInput } from '../../contract/input/tag-input.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { refuseStale } from '../collision.ts';
import { saveContent } from '../save-content.ts';
import { editedSlug } from '../slugs.ts';
import { refuseOddUrls } from '../url-fields.ts';
import type { ReadContext, WriteContext } from '../use-case-context.ts';
import { insertNewTag } from './new-tag.ts';
import { editedTexts } from './post-columns.ts';

/** Answers the new tag's id. Throws VALIDATION. */
export const createTag = async (context: ReadContext, input: TagCreateInput): Promise<string> => {
  const nowMs = context.clock.now();
  const site = await context.site();
  const { name } = input;
  const columns = {
    ...editedTexts('tags', input, site),
    visibility: visibilityOf(name, input.visibility ?? 'public'),
  };
  refuseOddUrls(columns, site);
  return saveContent(context, nowMs, (tx) =>
    insertNewTag(tx, { name, slug: input.slug ?? name, columns }, nowMs),
  );
};

/** Throws NOT_FOUND, VALIDATION, and UPDATE_COLLISION when `updated_at` is given and not the stored one. */
export const editTag = async (
  context: ReadContext,
  id: string,
  input: TagEditInput,
): Promise<void> => {
  const nowMs = context.clock.now();
  const site = await context.site();
  await saveContent(context, nowMs, async (tx) => {
    const stored = await findTagById(tx, id);
    if (stored === undefined) throw notFound('Tag');
    const changes = changedColumns<FullTagRow>(stored, {
      ...editedTexts('tags', input, site),
      visibility: visibilityAfter(stored, input),
      name: input.name,
      ...(await editedSlug(tx, 'tags', { stored, wanted: input.slug })),
    });
    const changed = Object.keys(changes);
    if (changed.length === 0) return;
    refuseOddUrls(changes, site);
    refuseStale({ stored: stored.updated_at, noun: 'tag' }, input.updated_at ?? null, changed);
    const updated_at = nextUpdate(stored.updated_at, nowMs);
    await updateTag(tx, id, { ...changes, updated_at });
  });
};

/** Throws NOT_FOUND. */
export const deleteTag = async ({ store, clock }: WriteContext, id: string): Promise<void> => {
  const found = await saveContent({ store }, clock.now(), (tx) => deleteTagRow(tx, id));
  if (!found) throw notFound('Tag');
};

type Visibility = FullTagRow['visibility'];

/** A name with `#` makes a tag internal (facts section 2). */
const visibilityOf = (name: string, wanted: Visibility): Visibility =>
  name.startsWith('#') ? 'internal' : wanted;

const visibilityAfter = (stored: FullTagRow, { name, visibility }: TagEditInput): Visibility =>
  visibilityOf(name ?? stored.name, visibility ?? stored.visibility);
