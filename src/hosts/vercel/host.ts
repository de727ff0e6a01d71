// Vercel, given what a build there would put out.
import type { Host } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  sidecarNotes,
  undeclaredNotes,
  unknownSlugNotes,
} from '../lacks.ts';
import { countRoutes, isReachable, vercelFiles } from './files.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  place: 'aside',
  limits: { rulesMax: 2_048 },
  use: 'prepress hosts write vercel --to .vercel/output; prepress deploy dir:.vercel/output/static; npx vercel deploy --prebuilt',
  lacks: (site) => [
    ...sidecarNotes(site),
    ...undeclaredNotes(site, 'any'),
    ...unknownSlugNotes(site),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    'Of a repeated parameter one counts.',
    ...lostNames(site.names, isReachable),
  ],
  countRules: countRoutes,
  files: async (site) => vercelFiles(site),
};
