// The post or page that a command names.
import { PrepressError } from '../../../base/errors.ts';
import { isId } from '../../../base/ids.ts';
import { findPostId } from '../../../publication/store/content/post-keys.ts';
import { findPostById, type PostType } from '../../../publication/store/content/posts.ts';
import type { Store } from '../../../publication/store/store.ts';

/** By its slug, or else by its id. Throws NOT_FOUND. */
export const getPost = async (
  store: Store,
  name: string,
): Promise<{ readonly id: string; readonly type: PostType }> => {
  for (const type of ['post', 'page'] as const) {
    const byId = isId(name) ? (await findPostById(store, type, name))?.id : undefined;
    const id = (await findPostId(store, type, name)) ?? byId;
    if (id !== undefined) return { id, type };
  }
  throw new PrepressError(
    'NOT_FOUND',
    `There is no post or page with the slug or id "${name}".${advice(name)} "prepress posts list" lists them.`,
  );
};

/** People copy the address of a post, or type its title. */
const advice = (name: string): string =>
  /[/\s]/.test(name) ? ' Write the slug alone, such as the-foghorn-tuner.' : '';
