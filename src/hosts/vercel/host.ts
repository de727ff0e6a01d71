// Vercel, given what a build there would put out.
import type { Host } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  sidecarNotes,
  undeclaredNotes,
  unknownSlugNotes,
} from '../limitations.ts';
import { countRoutes, isReachable, vercelFiles } from './files.ts';
import { hasMiddleware, middlewareFiles } from './middleware.ts';

const ASKED_FIRST =
  'Routes see one of a repeated parameter: so each request for a list or record calls a small edge function (middleware), which the plan counts, and which refuses such queries or passes them on.';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  place: 'aside',
  limits: { rulesMax: 2_048 },
  use: 'prepress hosts write vercel --to .vercel/output; prepress deploy dir:.vercel/output/static; npx vercel deploy --prebuilt',
  limitations: (site) => [
    ...sidecarNotes(site),
    ...undeclaredNotes(site, 'any'),
    ...unknownSlugNotes(site),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    hasMiddleware(site) ? ASKED_FIRST : 'Of a repeated parameter one counts.',
    ...lostNames(site.names, isReachable),
  ],
  countRules: countRoutes,
  files: async (site) => [...vercelFiles(site), ...(await middlewareFiles(site))],
};
