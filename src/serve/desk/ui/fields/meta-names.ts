// What posts, tags and the publication say of themselves to search engines and social networks: names and labels.

export const META_LABELS = {
  meta_title: 'Meta title',
  meta_description: 'Meta description',
  og_image: 'Facebook picture',
  og_title: 'Facebook title',
  og_description: 'Facebook description',
  twitter_image: 'X picture',
  twitter_title: 'X title',
  twitter_description: 'X description',
} as const;

export type MetaName = keyof typeof META_LABELS;
export type Meta = { readonly [Name in MetaName]: string };

export const META_NAMES = Object.keys(META_LABELS) as MetaName[];

export const TITLE_MAX = 300;
export const DESCRIPTION_MAX = 500;

/** What stands in place of an empty field. */
export type MetaDefaults = {
  readonly title: string;
  readonly description: string;
  /** The address of a picture; empty for none. */
  readonly image: string;
  /** The whole address of the page. */
  readonly url: string;
};

export type Shown = Omit<MetaDefaults, 'url'>;

/** By the rules of the pages (`pages/site/site-head.ts`). */
export const shownBy = (
  meta: Meta,
  defaults: MetaDefaults,
): Readonly<Record<'search' | 'facebook' | 'x', Shown>> => {
  const search = {
    title: meta.meta_title || defaults.title,
    description: meta.meta_description || defaults.description,
    image: '',
  };
  const cardOf = (title: string, description: string, image: string): Shown => ({
    title: title || search.title,
    description: description || search.description,
    image: image || defaults.image,
  });
  return {
    search,
    facebook: cardOf(meta.og_title, meta.og_description, meta.og_image),
    x: cardOf(meta.twitter_title, meta.twitter_description, meta.twitter_image),
  };
};
