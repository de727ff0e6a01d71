// The slug of a post or page. That of a draft follows its title until somebody gives it another one, as in Ghost.
import type { FullPostRow } from '../../../publication/store/content/posts.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { freeSlug } from '../slugs.ts';
import type { UseCaseContext } from '../use-case-context.ts';

type SlugContext = Pick<UseCaseContext, 'reservedSlugs'>;

/** A slug of posts and pages that no other record has. */
export const freePostSlug = (
  context: SlugContext,
  tx: Transaction,
  { text, exceptId }: { readonly text: string; readonly exceptId: string | null },
): Promise<string> =>
  freeSlug(tx, 'posts', { text, exceptId, reserved: context.reservedSlugs ?? [] });

type Edit = {
  readonly stored: FullPostRow;
  readonly next: {
    readonly title?: string;
    readonly status: string;
    readonly published_at: string | null;
  };
  readonly given: string | null | undefined;
};

/** The slug after an edit; one that a client gives counts. */
export const nextSlug = async (
  context: SlugContext,
  tx: Transaction,
  { stored, next, given }: Edit,
): Promise<string> => {
  const exceptId = stored.id;
  if (given && given !== stored.slug) return freePostSlug(context, tx, { text: given, exceptId });
  const { title = stored.title, status, published_at } = next;
  if (title === stored.title || status !== 'draft' || published_at !== null) return stored.slug;
  const ofTitle = await freePostSlug(context, tx, { text: stored.title, exceptId });
  return stored.slug === ofTitle
    ? freePostSlug(context, tx, { text: title, exceptId })
    : stored.slug;
};
