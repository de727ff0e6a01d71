// Bundles the executor for nginx's njs module, for one site. The oldest njs that distributions have (0.7.9, Debian 12) is
// ES5 with a few pieces of later editions; it reads no other syntax.
import { join } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import type { NjsSite } from '../../../content/edge/njs.ts';
import type { HostSite } from '../host.ts';
import { asciiJson, sourceFolder } from './bundle.ts';

/** What njs 0.7.9 knows beyond ES5. */
const NJS_SYNTAX = {
  target: 'es5',
  supported: {
    'const-and-let': true,
    arrow: true,
    'template-literal': true,
    'async-await': true,
  },
} as const;

export const bundleNjs = async (site: Pick<HostSite, 'basePath' | 'root'>): Promise<string> => {
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [join(sourceFolder(), 'content', 'edge', 'njs.ts')],
    bundle: true,
    // Shorter syntax is not for it: njs 0.7.9 loses track of variables that are declared in one statement.
    minifyWhitespace: true,
    minifyIdentifiers: true,
    write: false,
    format: 'esm',
    ...NJS_SYNTAX,
    // njs has its own, under the plain names.
    alias: { 'node:fs': 'fs', 'node:crypto': 'crypto' },
    external: ['fs', 'crypto'],
    legalComments: 'none',
    charset: 'ascii',
    define: { PREPRESS_SITE: asciiJson(njsSiteOf(site)) },
    logLevel: 'silent',
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new PrepressError('INTERNAL', 'The code for njs was not bundled.');
  return `// Written by "prepress hosts write nginx --njs".\n${withDefaultExport(text)}`;
};

const EXPORT = 'export{';

/** As njs 0.7.9 can read it: the bundler writes `export{name as default}`. */
const withDefaultExport = (text: string): string => {
  const at = text.lastIndexOf(EXPORT);
  const [name] = text.slice(at + EXPORT.length).split(' ');
  return `${text.slice(0, at)}export default ${name};\n`;
};

const njsSiteOf = ({ basePath, root }: Pick<HostSite, 'basePath' | 'root'>): NjsSite => ({
  basePath,
  folder: `${root}${basePath}/content`,
});
