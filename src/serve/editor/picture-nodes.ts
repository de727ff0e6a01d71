// Pictures of a document before it is rendered: Ghost's renderer names sizes only of the site's own pictures, and only where the
// document says how wide they are.
import { join } from 'node:path';
import { toStoredUrl } from '../../publication/documents/html/stored-urls.ts';
import { findPicturePath, findPictureSides } from '../../publication/media/picture-sides.ts';
import type { FormatRequest } from './editor-formats.ts';
import type { LexicalDocument, LexicalNode } from './lexical-document.ts';
import type { Pictures } from './site.ts';

/** Changes the document: own addresses get the placeholder, and a picture that is kept here its sides. */
export const preparePictures = async (
  { root }: LexicalDocument,
  site: FormatRequest['site'],
  { folders }: Pictures,
): Promise<void> => {
  const waiting: LexicalNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const pictures = node.type === 'image' ? [node] : node.type === 'gallery' ? node.images : [];
    for (const picture of Array.isArray(pictures) ? pictures : []) {
      if (typeof picture?.src !== 'string') continue;
      picture.src = toStoredUrl(picture.src, site);
      if (!picture.width || !picture.height) {
        Object.assign(picture, await findSides(picture.src, folders));
      }
    }
    waiting.push(...(node.children ?? []));
  }
};

const OWN = '__GHOST_URL__/content/';

const findSides = async (src: string, folders: readonly string[]): Promise<object | null> => {
  const path = src.startsWith(OWN) ? findPicturePath(src.slice(OWN.length)) : null;
  if (path === null) return null;
  for (const folder of folders) {
    const sides = await findPictureSides(join(folder, path)).catch(() => null);
    if (sides !== null) return { width: sides.width, height: sides.height };
  }
  return null;
};
