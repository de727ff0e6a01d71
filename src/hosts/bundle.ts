// Bundles edge code for one site: its sources, the resolver among them, become one minified text with the
// site's facts inside.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrepressError } from '../base/errors.ts';
import { RESOURCES } from '../paths/endpoints.ts';
import { isFileName } from '../paths/plain-segment.ts';
import { substitutesOf } from '../paths/selection.ts';
import type { EdgeSite } from './edge/edge-site.ts';
import type { HostSite } from './host.ts';

type BundleOptions = {
  /** File in `edge/`. */
  readonly entry: 'worker' | 'cloudfront';
  readonly site: HostSite;
};

/** A module for workers; for CloudFront a script with a function `handler`. */
export const bundleEdge = async ({ entry, site }: BundleOptions): Promise<string> => {
  // Few commands bundle: the others should not wait for the bundler.
  const { build } = await import('esbuild');
  const isScript = entry === 'cloudfront';
  const result = await build({
    entryPoints: [join(sourceFolder(), 'hosts', 'edge', `${entry}.ts`)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
    charset: 'ascii',
    define: { PREPRESS_SITE: 'PREPRESS' },
    ...(isScript
      ? { format: 'iife', globalName: 'edge', target: 'es5', supported: { 'const-and-let': true } }
      : { format: 'esm', target: 'es2022' }),
    banner: {
      js: `var PREPRESS=${asciiJson(edgeSiteOf(site, { isScript }))};${isScript ? SHA256 : ''}`,
    },
    ...(isScript && { footer: { js: 'function handler(event){return edge.handle(event)}' } }),
    logLevel: 'silent',
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new PrepressError('INTERNAL', 'The edge code was not bundled.');
  return text;
};

/** CloudFront's functions have this module of Node's. */
const SHA256 =
  "function sha256(text){return require('crypto').createHash('sha256').update(text).digest('hex')}";

/** JSON that no reader can take for another encoding. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const edgeSiteOf = (site: HostSite, { isScript }: { readonly isScript: boolean }): EdgeSite => {
  const { basePath, names, paged, keyHashes, selection } = site;
  return {
    basePath,
    names: Object.fromEntries(
      names
        // Workers bring a slug into its normal form by themselves; the function for CloudFront computes hashes.
        .filter(({ slug, segment }) =>
          isScript ? isFileName(slug) : slug.normalize('NFC') !== segment,
        )
        .map(({ resource, slug, segment }) => [`${resource}/${slug}`, segment]),
    ),
    paged,
    sent: Object.fromEntries(
      RESOURCES.flatMap((resource) =>
        substitutesOf(resource, selection.variants).map(([dropped, sent]) => [
          `${resource}/${dropped}`,
          sent,
        ]),
      ),
    ),
    isById: selection.profile === 'by-id',
    keyHashes,
  };
};

/** The sources of edge code go with the package: they are bundled where the site is known. */
const sourceFolder = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const sources = join(folder, 'src');
    if (existsSync(join(sources, 'hosts', 'edge'))) return sources;
    if (dirname(folder) === folder) {
      throw new PrepressError('INTERNAL', 'The sources of the edge code are not installed.');
    }
  }
};
