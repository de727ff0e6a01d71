// The licences of the packages whose code is in dist/, as one text: most of them ask that it goes with their code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** `node_modules/a/node_modules/@b/c/index.js` is of the package in the folder `node_modules/a/node_modules/@b/c`. */
const packageFolderOf = (input) =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? null;

/**
 * Ghost's editor is one file that holds other packages, which its source map names. Their texts stand in
 * koenig-licenses.json, because npm installs none of them: after an upgrade, add those that an error names.
 */
const EDITOR = 'node_modules/@tryghost/koenig-lexical';

const addEditorTexts = (texts) => {
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, 'koenig-licenses.json'), 'utf8'));
  const known = new Map(kept.flatMap((one) => one.packages.map((name) => [name, one])));
  const map = readFileSync(join(ROOT, EDITOR, 'dist/koenig-lexical.js.map'), 'utf8');
  for (const source of JSON.parse(map).sources) {
    const [, name, version] = /\.pnpm\/((?:@[^+/]+\+)?[^@/]+)@([^_/(]+)/.exec(source) ?? [];
    if (name === undefined) continue;
    const title = `${name.replace('+', '/')}@${version}`;
    const found = known.get(title);
    if (found === undefined) throw new Error(`koenig-licenses.json lacks ${title}.`);
    texts.set(`${title.replace(/(.)@/, '$1 ')} (${found.license})`, found.text);
  }
};

/** `inputs` are paths below the project's folder; those outside node_modules are ours. Throws when a licence is unknown. */
export const licenseTexts = (inputs) => {
  const folders = new Set(inputs.map(packageFolderOf).filter((folder) => folder !== null));
  const texts = new Map();
  for (const folder of folders) {
    const facts = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const text = textOf(folder);
    const license = facts.license ?? facts.licenses?.map(({ type }) => type).join(', ');
    if (license === undefined && text === null) throw new Error(`${folder} names no licence.`);
    const title = `${facts.name} ${facts.version}${license === undefined ? '' : ` (${license})`}`;
    texts.set(title, text ?? `Licence: ${license}`);
  }
  if (folders.has(EDITOR)) addEditorTexts(texts);
  const parts = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  return parts
    .map(([title, text]) => `${title}\n\n${text.trim()}\n`)
    .join(`\n${'-'.repeat(72)}\n\n`);
};

const textOf = (folder) => {
  const files = readdirSync(join(ROOT, folder))
    .filter((file) => LICENSE_FILE.test(file))
    .sort();
  const texts = files
    .map((file) => join(ROOT, folder, file))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  return texts.length === 0 ? null : texts.join('\n\n');
};
