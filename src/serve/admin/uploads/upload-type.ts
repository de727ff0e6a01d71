// What an uploaded file is, judged by its bytes: its name gives no more than the name. What a browser would run is
// refused, except for drawings (SVG) that hold nothing to run.
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { closing } from '../../../base/closing.ts';
import { PrepressError } from '../../../base/errors.ts';
import { findSvgFault } from './svg-fault.ts';

export type UploadKind = 'images' | 'media' | 'files';

/** Endings of names that hosts know the type of, by what the bytes are. */
const IMAGES: readonly string[] = ['png', 'jpg', 'gif', 'webp', 'avif', 'ico'];
const MEDIA: readonly string[] = ['mp4', 'webm', 'ogv', 'mp3', 'wav', 'ogg', 'm4a'];
/** Other names that `file-type` has for these. */
const SAME: Readonly<Record<string, string>> = {
  apng: 'png',
  m4v: 'mp4',
  oga: 'ogg',
  opus: 'ogg',
  m4b: 'm4a',
};
/** What a browser may run, or hosts treat as a page. */
const ACTIVE: readonly string[] = ['xml', 'swf', 'html', 'svg', 'js', 'wasm', 'mht'];
/** What only the name tells: of text, and of what other files are packed in. A browser runs none of these. */
const NAMED: Readonly<Record<string, string>> = {
  bin: 'txt md csv tsv json geojson ics vtt srt yaml yml toml tex bib py sql log vcf',
  cfb: 'doc xls ppt msg',
  zip: 'pages numbers key xlsb kmz',
};

const REFUSALS: Readonly<Record<UploadKind, string>> = {
  images: 'The file is not a PNG, JPEG, GIF, WebP, AVIF, ICO or SVG picture.',
  media: 'The file is not an MP4, WebM, Ogg, MP3, WAV or M4A file.',
  files:
    'Browsers execute files of this type, such as XML, GPX, KML and HTML, so it is refused. Upload it in a .zip file.',
};

/** The ending of the file's name. Throws UNSUPPORTED_MEDIA_TYPE with the reason. */
export const judgeUpload = async (
  kind: UploadKind,
  file: string,
  name: string,
): Promise<string> => {
  const found = (await fileTypeFromFile(file))?.ext;
  const ending = found === undefined ? undefined : (SAME[found] ?? found);
  if (ending === 'xml' || (ending === undefined && (await beginsAsMarkup(file)))) {
    if (kind !== 'media' && (await isDrawing(file))) return 'svg';
    throw refused(kind);
  }
  if (ending !== undefined && KNOWN[kind].includes(ending)) return ending;
  if (kind !== 'files' || ACTIVE.includes(ending ?? '')) throw refused(kind);
  return namedEnding(name, ending ?? 'bin');
};

/** Endings that are taken without a further look. */
const KNOWN: Readonly<Record<UploadKind, readonly string[]>> = {
  images: IMAGES,
  media: MEDIA,
  files: [...IMAGES, ...MEDIA],
};

const refused = (kind: UploadKind, why?: string): PrepressError =>
  new PrepressError('UNSUPPORTED_MEDIA_TYPE', why ?? REFUSALS[kind], { property: 'file' });

const isDrawing = async (file: string): Promise<boolean> => {
  const fault = await findSvgFault(file);
  if (fault === null) return true;
  if (fault.isDrawing) throw refused('images', fault.sentence);
  return false;
};

const HEAD_BYTES = 1_024;

/** Markup without an XML declaration, perhaps after white space and a byte order mark of any encoding. */
const beginsAsMarkup = async (file: string): Promise<boolean> => {
  return closing(await open(file), async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead).toString('latin1');
    return /^[\s\0\u00ef\u00bb\u00bf\u00fe\u00ff]*<\0?[!?a-z]/i.test(head);
  });
};

const namedEnding = (name: string, ending: string): string => {
  const given = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return NAMED[ending]?.split(' ').includes(given) ? given : ending;
};
