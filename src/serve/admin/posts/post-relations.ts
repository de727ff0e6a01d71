// Finds the tags, authors and tiers that a post's payload names (facts section 9): tags that do not exist
// are made, authors that do not exist become the owner, tiers must exist.
import { invalid } from '../../../base/errors.ts';
import {
  findTagById,
  findTagByName,
  findTagBySlug,
} from '../../../publication/store/content/tags.ts';
import { findOwner, findUserBy } from '../../../publication/store/content/users.ts';
import { listTiers } from '../../../publication/store/members/tiers.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { listRows } from '../../../publication/store/table-rows.ts';
import type { NameReference } from '../../contract/fields.ts';
import type { AuthorReference } from '../../contract/input/post-input.ts';
import { insertNewTag } from './new-tag.ts';

/** Ids of the tags, in the order given, each once. Throws VALIDATION for an unknown id alone. */
export const resolveTags = async (
  tx: Transaction,
  references: readonly NameReference[],
  nowMs: number,
): Promise<string[]> => {
  const ids = new Set<string>();
  for (const reference of references) ids.add(await resolveTag(tx, reference, nowMs));
  return [...ids];
};

const resolveTag = async (
  tx: Transaction,
  { id, slug, name: given }: NameReference,
  nowMs: number,
): Promise<string> => {
  const byId = id ? await findTagById(tx, id) : undefined;
  if (byId !== undefined) return byId.id;
  // A script that copies posts from another site sends the ids of that site's tags, with their names.
  const name = (given ?? slug ?? '').trim();
  if (name === '') {
    const fault = id ? `names a tag that does not exist: ${id}` : 'holds a tag without a name';
    throw invalid('tags', `tags ${fault}.`);
  }
  if (name.startsWith(',')) throw invalid('tags', 'A name in tags must not begin with a comma.');
  const bySlug = slug ? await findTagBySlug(tx, slug) : undefined;
  const found = bySlug ?? (await findTagByName(tx, name));
  return found?.id ?? (await insertNewTag(tx, { name, slug: slug ?? name }, nowMs));
};

/**
 * Ids of the authors, in the order given, each once; none named: the owner. An empty list stands for no authors where
 * there can be none, as a record shows them that has none. Throws VALIDATION.
 */
export const resolveAuthors = async (
  tx: Transaction,
  references: readonly AuthorReference[] | null | undefined,
  { postId, isNew }: { readonly postId: string; readonly isNew: boolean },
): Promise<string[]> => {
  if (references?.length === 0) {
    const isMissing = isNew ? (await findOwner(tx)) !== undefined : await hasAuthors(tx, postId);
    if (isMissing) throw invalid('authors', 'At least one author is required.');
    return [];
  }
  const ids = new Set<string>();
  if (references?.some((reference) => !Object.values(reference).some(Boolean)))
    throw invalid('authors', 'authors holds an author without id, slug or email.');
  for (const reference of references ?? [{}]) {
    const user = (await findNamedUser(tx, reference)) ?? (await findOwner(tx));
    if (user !== undefined) ids.add(user.id);
  }
  return [...ids];
};

const hasAuthors = async (tx: Transaction, postId: string): Promise<boolean> =>
  (await listRows(tx, 'posts_authors', { where: { post_id: postId } })).length > 0;

const findNamedUser = async (tx: Transaction, reference: AuthorReference) => {
  for (const column of ['id', 'slug', 'email'] as const) {
    const value = reference[column];
    const user = value ? await findUserBy(tx, column, value) : undefined;
    if (user !== undefined) return user;
  }
  return undefined;
};

/** Ids of the tiers, each once. Throws VALIDATION for an unknown one. */
export const resolveTiers = async (
  tx: Transaction,
  references: readonly { readonly id: string }[],
): Promise<string[]> => {
  const known = new Set((await listTiers(tx)).map(({ id }) => id));
  const ids = [...new Set(references.map(({ id }) => id))];
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalid('tiers', `tiers names a tier that does not exist: ${unknown}.`);
  return ids;
};
