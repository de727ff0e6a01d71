// What hosts that read no queries answer to the list: every address shows one variant.
import type { Request } from './conformance.ts';

const VARIANTS: Readonly<Record<string, string>> = {
  posts: 'authors-tags',
  pages: 'authors-tags',
  tags: 'count-posts',
  authors: 'count-posts',
  settings: 'index',
  'search-index': 'index',
};

export const toOneVariant = (request: Request): Request => {
  const { expected, path } = request;
  if (expected.kind === 'absent' && path.includes('?page=9999')) {
    return { ...request, expected: { kind: 'document', file: 'authors/count-posts.json' } };
  }
  if (expected.kind !== 'document' || path.endsWith('.json')) return request;
  const [resource = ''] = expected.file.split('/');
  const file = expected.file.replace(/[^/]+\.json$/, `${VARIANTS[resource]}.json`);
  return { ...request, expected: { kind: 'document', file } };
};

/** The slug is stored under another name, which only rules know. */
export const isStoredElsewhere = ({ expected, path }: Request): boolean =>
  expected.kind === 'document' && /slug\/\{/.test(expected.file) && !/slug\/\{/.test(path);
