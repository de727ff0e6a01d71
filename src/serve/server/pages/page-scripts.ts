// Which scripts of an HTML page may run on the desk's origin: files of the output that the site's own build has written,
// by their digest. A script of a post, code injection, and files of editors have none. The digest stands in the page's
// policy and at the element, where browsers ask for it.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalPath } from '../../../content/paths/canonical-path.ts';
import { createPlainFiles } from './plain-files.ts';

export type AdmittedPage = {
  readonly html: string;
  /** Digests, such as `sha256-...`, of the scripts that may run. */
  readonly scripts: readonly string[];
  /** It names scripts or frames that are not run or shown. */
  readonly leavesOut: boolean;
};

type Place = { readonly output: string; readonly basePath: string };

/** A page of a post may name any number. */
const SCRIPTS_MAX = 50;

const SCRIPT = /<script\b([^<>]*)>/gi;
/** It holds no program. */
const DATA = /^application\/(?:ld\+)?json$/i;
const FRAME = /<(?:iframe|frame|object|embed)\b/i;

/** `file`: that of the page, below the base path. */
export type AdmitScripts = (html: string, file: string) => Promise<AdmittedPage>;

export const createAdmitScripts = ({ output, basePath }: Place): AdmitScripts => {
  const root = join(output, basePath);
  const files = createPlainFiles(root);
  const findDigest = async (source: string, page: string): Promise<string | null> => {
    const path = ownPath(source, `${basePath}/${page}`);
    if (!path?.startsWith(`${basePath}/`)) return null;
    const file = await files.find(path.slice(basePath.length + 1));
    if (file === null || !/\.m?js$/.test(file) || /^content[/\\]/i.test(file)) return null;
    const bytes = await readFile(join(root, file));
    return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
  };
  return async (html, file) => {
    const elements = [...html.matchAll(SCRIPT)];
    const sources = elements.flatMap(([, attributes = '']) => attributeOf('src', attributes) ?? []);
    const digests = new Map<string, string>();
    for (const source of [...new Set(sources)].slice(0, SCRIPTS_MAX)) {
      const digest = await findDigest(source, file);
      if (digest !== null) digests.set(source, digest);
    }
    let leavesOut = FRAME.test(html);
    const admitted = html.replace(SCRIPT, (element, attributes: string) => {
      const source = attributeOf('src', attributes);
      const digest = digests.get(source ?? '');
      if (digest !== undefined) return `<script integrity="${digest}"${attributes}>`;
      leavesOut ||= source !== undefined || !DATA.test(attributeOf('type', attributes) ?? '');
      return element;
    });
    return { html: admitted, scripts: [...new Set(digests.values())], leavesOut };
  };
};

/** Of an attribute as templates and minifiers write it: in quotes or without, and with no space. */
const attributeOf = (name: string, attributes: string): string | undefined =>
  attributes
    .split(/\s+/)
    .find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .replace(/^["']|["']$/g, '');

const HERE = 'http://here.invalid';

/** The canonical path of an address that leads into this origin; null for others. */
const ownPath = (source: string, page: string): string | null => {
  const from = `${HERE}${page}`;
  const url = URL.canParse(source, from) ? new URL(source, from) : null;
  return url?.origin === HERE ? canonicalPath(url.pathname) : null;
};
