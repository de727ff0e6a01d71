// Files that hosts and tools read for their settings. They lie at the top of an output, or of its content folder, and no
// reader is sent one there. A page or a record may be called so: it is a folder.

export const SETTINGS_NAMES: readonly string[] = [
  '.assetsignore',
  '.env',
  '.htaccess',
  '.htpasswd',
  '.nojekyll',
  '_headers',
  '_redirects',
  '_routes.json',
  '_worker.js',
  'firebase.json',
  'netlify.toml',
  'vercel.json',
  'wrangler.json',
  'wrangler.jsonc',
  'wrangler.toml',
];
