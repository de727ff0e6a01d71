// Keeps the rule of imports that a post without an author is the owner's, where only some rows of a source are staged.

import { deriveId } from '../../../base/ids.ts';
import type { Difference } from '../../store/import/difference.ts';
import { deleteRows, findRows, type TableName } from '../../store/import/import-rows.ts';
import type { Transaction } from '../../store/store.ts';
import { factsFor } from '../intake/ghost-tables.ts';
import type { ApplyContext } from './apply-context.ts';
import { writeRows } from './apply-table.ts';
import { authorLink, findAuthorForAll } from './replace-links.ts';

const LINKS = 'posts_authors';

/** Posts that the publication has linked to authors, or by links, that may change now. Call it before anything does. */
export const authorOwners = async (
  { tx, aliases }: ApplyContext,
  difference: Difference,
): Promise<Set<string>> => {
  const owners = new Set<string>();
  const add = async (table: TableName, by: string, ids: readonly string[]): Promise<void> => {
    const values = ids.map((id) => aliases.resolve(table, id));
    const search = { table: LINKS, columns: ['post_id'], by, values } as const;
    for (const { post_id } of await findRows(tx, search)) owners.add(String(post_id));
  };
  for (const kind of ['changed', 'gone'] as const) {
    for (const ids of difference.ids(kind, LINKS)) await add(LINKS, 'id', ids);
    for (const ids of difference.ids(kind, 'users')) await add('users', 'author_id', ids);
  }
  return owners;
};

/**
 * Takes back what posts were given that the source has links of now: those may be to the same author. Returns these
 * posts; they may be without an author still.
 */
export const removeDefaultAuthors = async ({
  tx,
  stage,
  aliases,
}: ApplyContext): Promise<Set<string>> => {
  const owners = new Set<string>();
  for (const links of stage.rowKeys(LINKS)) {
    const posts = links.map(({ references }) => aliases.resolve('posts', references[0] ?? ''));
    for (const id of posts) owners.add(id);
    await deleteRows(
      tx,
      LINKS,
      posts.map((id) => deriveId(LINKS, id)),
    );
  }
  return owners;
};

/** Runs after all rows were written. */
export const applyDefaultAuthors = async (
  context: ApplyContext,
  difference: Difference,
  owners: ReadonlySet<string>,
): Promise<void> => {
  const facts = factsFor(LINKS);
  const all = await authorOwners(context, difference);
  for (const id of owners) all.add(id);
  for (const ids of difference.ids('changed', 'posts')) for (const id of ids) all.add(id);
  if (OWNERSHIP.some((table) => difference.tables().has(table))) {
    for (const id of await listWithoutOwn(context.tx)) all.add(id);
  }
  const ownerId = all.size === 0 ? null : await findAuthorForAll(context);
  if (facts === undefined || ownerId === null) return;
  const { tx } = context;
  const posts = [...all];
  for (let at = 0; at < posts.length; at += IDS_AT_ONCE) {
    const values = posts.slice(at, at + IDS_AT_ONCE);
    const present = await findRows(tx, { table: 'posts', columns: ['id'], by: 'id', values });
    const links = await findRows(tx, { table: LINKS, by: 'post_id', values });
    const given = links.filter(({ id, post_id }) => id === deriveId(LINKS, String(post_id)));
    const others = new Set(
      links.filter((link) => !given.includes(link)).map((link) => link.post_id),
    );
    const extra = given.filter(({ post_id }) => others.has(post_id ?? null));
    await deleteRows(
      tx,
      LINKS,
      extra.map(({ id }) => String(id)),
    );
    const alone = present.map(({ id }) => String(id)).filter((id) => !others.has(id));
    await writeRows(
      context,
      facts,
      alone.map((id) => authorLink(id, ownerId)),
    );
  }
};

const IDS_AT_ONCE = 200;

/** Tables that tell who the owner is. */
const OWNERSHIP = ['users', 'roles', 'roles_users'] as const;

/** Posts with no author but the one they were given: they are the owner's, whoever that is now. */
const listWithoutOwn = async (tx: Transaction): Promise<string[]> => {
  const links = await findRows(tx, { table: LINKS, columns: ['id', 'post_id'] });
  const own = links.filter(({ id, post_id }) => id !== deriveId(LINKS, String(post_id)));
  const authored = new Set(own.map(({ post_id }) => String(post_id)));
  const posts = await findRows(tx, { table: 'posts', columns: ['id'] });
  return posts.map(({ id }) => String(id)).filter((id) => !authored.has(id));
};
