// Lists and records among the addresses of the interface: what a path after `/content/` names. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.

export const LISTED = ['posts', 'pages', 'tags', 'authors'] as const;

type Listed = (typeof LISTED)[number];

export type Address =
  | { readonly kind: 'list'; readonly resource: Listed }
  | { readonly kind: 'id'; readonly resource: Listed; readonly id: string }
  /** As it was sent, but decoded. */
  | { readonly kind: 'slug'; readonly resource: Listed; readonly slug: string };

const ID = /^[0-9a-f]{24}$/;

/** `path` is a canonical one after `/content/`, still percent-encoded, with its last slash; null: it names neither. */
export const parseAddress = (path: string): Address | null => {
  const names = path.split('/');
  const resource = names[0] || '';
  if (!isListed(resource) || names[names.length - 1] !== '') return null;
  if (names.length === 2) return { kind: 'list', resource };
  const name = names[1] || '';
  if (names.length === 3) return ID.test(name) ? { kind: 'id', resource, id: name } : null;
  if (names.length !== 4 || name !== 'slug') return null;
  const slug = decodeSegment(names[2] || '');
  return slug === null ? null : { kind: 'slug', resource, slug };
};

const isListed = (name: string): name is Listed => LISTED.indexOf(name as Listed) !== -1;

/** Null for what is not well-formed. */
export const decodeSegment = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch (_malformed) {
    return null;
  }
};
