// A CDN in front of the companion server, or of any other host here.
import type { Host } from '../host.ts';
import { cdnFiles } from './files.ts';

export const cdn: Host = {
  name: 'cdn',
  title: 'A CDN in front of another host',
  place: 'aside',
  limits: {},
  use: 'Use the file of your CDN: it says which parameters of the query are part of the cache key.',
  limitations: ({ checksKey }) => [
    checksKey
      ? 'The content key is part of the cache key, since contentKey or hostKeys has it checked: add ?key= of each client to the addresses to purge, or set contentKey to optional where nothing behind the CDN checks it.'
      : 'The content key is not part of the cache key: nothing behind the CDN may check it.',
    'Cloudflare takes lists of parameters in cache keys on some plans only. On other plans, requests with another key or slug get copies of their own: use a purge of everything there.',
  ],
  files: async (site) => cdnFiles(site),
};
