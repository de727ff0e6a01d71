// Which queries of lists each host answers, in one table: what `prepress hosts list` says of them.
import type { HostName } from '../../../settings/host-names.ts';

export type AnsweredQueries = 'all' | 'default' | 'none' | 'origin';

export const ANSWERED_QUERIES: Readonly<Record<HostName, AnsweredQueries>> = {
  nginx: 'default',
  'nginx-njs': 'all',
  caddy: 'default',
  apache: 'default',
  varnish: 'default',
  cdn: 'origin',
  cloudflare: 'all',
  'cloudflare-pages': 'all',
  cloudfront: 'default',
  netlify: 'default',
  'netlify-edge': 'all',
  vercel: 'all',
  firebase: 'none',
  'github-pages': 'none',
  'gitlab-pages': 'none',
  dumb: 'none',
};

export const QUERIES_SAID: Readonly<Record<AnsweredQueries, string>> = {
  all: 'every query',
  default: 'default lists with include and page',
  none: 'no query: one variant of each list and record',
  origin: 'what the host behind it answers',
};
