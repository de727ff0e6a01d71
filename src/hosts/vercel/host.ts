// Vercel, given what a build there would put out.
import type { Host } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  otherQueryNotes,
  sidecarNotes,
} from '../limitations.ts';
import { countRoutes, isReachable, vercelFiles } from './files.ts';
import { hasMiddleware, middlewareFiles } from './middleware.ts';

const ASKED_FIRST =
  'Routes see one of a repeated parameter: so each request for a list or record calls a small edge function (middleware), which the plan counts, and which joins what is repeated of include, and refuses the rest or passes it on.';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  place: 'aside',
  limits: { rulesMax: 2_048, parameterBytesMax: 4_096 },
  use: 'prepress hosts write vercel --to .vercel/output; prepress deploy dir:.vercel/output/static; npx vercel deploy --prebuilt',
  limitations: (site) => [
    ...sidecarNotes(site),
    ...otherQueryNotes(site, 'any'),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    hasMiddleware(site)
      ? ASKED_FIRST
      : 'Of a repeated parameter one counts, and include[] is none.',
    ...lostNames(site.names, isReachable),
  ],
  countRules: countRoutes,
  files: async (site) => [...vercelFiles(site), ...(await middlewareFiles(site))],
};
