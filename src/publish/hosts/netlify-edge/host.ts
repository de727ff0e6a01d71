// Netlify with an edge function, which is also a handler for Deno.
import type { Host } from '../host.ts';
import { isReachableAtEdge, lostNames, missingNotes } from '../limits/limitations.ts';
import { NETLIFY_REDIRECTS } from '../rules/plain-redirects.ts';
import { netlifyEdgeFiles } from './files.ts';

export const netlifyEdge: Host = {
  name: 'netlify-edge',
  title: 'Netlify Edge Functions',
  place: 'aside',
  redirects: NETLIFY_REDIRECTS,
  namesRoot: 'any',
  limits: { folderEntriesMax: 54_000, hostFileBytesMax: 20 * 1024 * 1024 },
  profiles: ['literal', 'by-id', 'packed'],
  checksKeys: true,
  use: 'In the folder of netlify.toml: npx netlify deploy --prod. In a project with settings of its own: copy prepress.js to netlify/edge-functions there.',
  limitations: ({ selection, names }) => [
    'Each request below /content is a call of the function, which may take 50 ms of processor time: if filters over many posts take longer, use a server.',
    ...(selection.profile === 'literal'
      ? []
      : [
          `The output holds what the profile ${selection.profile} leaves out: "prepress deploy dir:DIR" makes a folder without it; name that with --root DIR.`,
        ]),
    ...missingNotes(selection),
    ...lostNames(names, isReachableAtEdge),
  ],
  files: netlifyEdgeFiles,
};
