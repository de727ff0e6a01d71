// What to say where a file of the project's own, such as one that Eleventy copies, and the rules for a host need the same
// place. Prepress cannot merge the two: the operator chooses.
import { basename } from 'node:path';
import type { Host } from '../host.ts';

/** `holds`: what stands there. */
export const ownFileSentence = (host: Host, path: string, holds: 'yours' | 'the rules'): string =>
  `Your own ${basename(path)} and the rules for ${host.name} need the same file, ${path}, which holds ${holds}. ${wayOut(host, path, holds)}`;

/** Of a file that was changed since it was placed, by a person or by each run of Eleventy. */
export const ifEleventyBrings = (host: Host, path: string): string =>
  `If your Eleventy project brings this file, its next run replaces the rules again. ${wayOut(host, path, 'yours')}`;

const wayOut = (host: Host, path: string, holds: 'yours' | 'the rules'): string => {
  const { name } = host;
  const deleted = holds === 'yours' ? `, and delete ${path}` : '';
  const takeOut = `take yours out of your templates and pass-through copies${deleted}.`;
  const other = otherPlace(host, basename(path));
  return other === null
    ? `To keep the rules, ${takeOut} To keep yours, take ${name} out of the setting hosts, run "prepress hosts remove ${name}", then "prepress hosts write ${name} --to FOLDER", and merge the two.`
    : `${other}. Then ${takeOut}`;
};

/** Where else the lines of a file of that name can go. */
const otherPlace = ({ name, redirects }: Host, file: string): string | null => {
  const toml = name === 'netlify' ? 'netlify.toml' : null;
  if (file === '_headers' && toml !== null) return `Put its lines into ${toml}`;
  if (file !== '_redirects' || redirects === undefined) return null;
  const orToml = toml === null ? '' : ` or put them into ${toml}`;
  return `Bring its redirects with "prepress import redirects FILE" (docs/leaving-ghost.md, step 4)${orToml}`;
};
