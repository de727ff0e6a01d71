// The four resources as the executor tells them apart: collections (posts, pages), whose records stand by time, and
// terms (tags, authors), which stand by name. Runtime-neutral.

export type CollectionName = 'posts' | 'pages';
export type TermsName = 'tags' | 'authors';
export type ListResource = CollectionName | TermsName;

export const isTermsName = (resource: ListResource): resource is TermsName =>
  resource === 'tags' || resource === 'authors';
