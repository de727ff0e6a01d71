// Vercel, given what a build there would put out: its middleware answers addresses.
import type { Host } from '../host.ts';
import {
  isReachableAtEdge,
  lostNames,
  missingNotes,
  NO_KEY_CHECK,
  sidecarNotes,
} from '../limits/limitations.ts';
import { vercelFiles } from './files.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  place: 'aside',
  redirects: 'all',
  limits: { hostFileBytesMax: 1024 * 1024 },
  profiles: ['literal', 'by-id', 'packed'],
  use: `Write the rules where Vercel reads them: prepress hosts write vercel --to .vercel/output
Copy the files beside them: prepress deploy dir:.vercel/output/static
Upload both: npx vercel deploy --prebuilt`,
  limitations: (site) => [
    'Each request for an address is a call of the middleware, which the plan counts. It fetches the files from the deployment itself, so a deployment that asks visitors to log in (Deployment Protection) answers 503 there.',
    NO_KEY_CHECK,
    ...sidecarNotes(site),
    ...missingNotes(site.selection),
    ...lostNames(site.names, isReachableAtEdge),
  ],
  files: vercelFiles,
};
