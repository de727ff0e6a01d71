// Why a drawing (SVG) is not taken: browsers run what is in one that is opened by its address. It is read in parts, as
// strict XML in UTF-8 without a document type of its own. What other programs note in a drawing, in namespaces that
// browsers know nothing of, is left alone.
import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sax, { type QualifiedAttribute, type QualifiedTag } from 'sax';

export type SvgFault = {
  /** False: it is something else, or no XML. */
  readonly isDrawing: boolean;
  readonly sentence: string;
};

const SVG = 'http://www.w3.org/2000/svg';
/** Whose elements browsers show, or run. */
const FOREIGN: Readonly<Record<string, string>> = {
  'http://www.w3.org/1999/xhtml': 'HTML',
  'http://www.w3.org/1998/Math/MathML': 'MathML',
  'http://www.w3.org/2001/xml-events': 'XML Events',
};
const ACTIVE = ['script', 'foreignobject', 'handler', 'listener', 'iframe', 'embed', 'object'];
const ANIMATIONS = ['animate', 'set', 'animatetransform', 'animatemotion', 'discard'];
/** Beginnings of addresses that run something. */
const SCRIPTS = ['javascript:', 'vbscript:', 'livescript:'];
/** Other addresses of `data:` are pages of their own. */
const PICTURES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif'].flatMap((type) =>
  [';', ','].map((end) => `data:image/${type}${end}`),
);
const DEPTH_MAX = 500;

class Fault extends Error {}

/** Null when nothing is wrong. */
export const findSvgFault = async (file: string): Promise<SvgFault | null> => {
  const parser = sax.parser(true, { xmlns: true });
  const run = { isDrawing: false, depth: 0 };
  parser.onopentag = (tag) => openElement(run, tag as QualifiedTag);
  parser.onclosetag = () => {
    run.depth -= 1;
  };
  parser.ondoctype = (text) => {
    if (text.includes('[')) throw new Fault('defines entities in its document type');
  };
  parser.onprocessinginstruction = ({ name, body }) => checkInstruction(name, body);
  parser.onerror = (error) => {
    throw error;
  };
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const bytes of createReadStream(file)) {
      parser.write(decoder.decode(bytes as Buffer, { stream: true }));
      await nextTurn();
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    const isOurs = error instanceof Fault;
    if (!isOurs && (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const { isDrawing } = run;
    const what = isOurs ? error.message : 'is not well-formed XML in UTF-8';
    return { isDrawing, sentence: `The SVG file ${what}.` };
  }
  return run.isDrawing ? null : { isDrawing: false, sentence: 'The file is no SVG file.' };
};

type Run = { isDrawing: boolean; depth: number };

const openElement = (run: Run, { uri, local, name, attributes }: QualifiedTag): void => {
  if (run.depth === 0) {
    if (run.isDrawing) throw new Fault('has more than one root');
    run.isDrawing = local === 'svg' && uri === SVG;
    if (!run.isDrawing) throw new Fault('has another root than <svg>');
  }
  run.depth += 1;
  if (run.depth > DEPTH_MAX) throw new Fault(`has elements nested deeper than ${DEPTH_MAX}`);
  const kind = FOREIGN[uri];
  if (kind !== undefined) throw new Fault(`holds the ${kind} element <${name}>`);
  const folded = local.toLowerCase();
  if (ACTIVE.includes(folded))
    throw new Fault(`holds the element <${name}>, which may run scripts`);
  for (const attribute of Object.values(attributes)) checkAttribute(folded, name, attribute);
};

const checkAttribute = (
  element: string,
  shown: string,
  { local, name, value, uri }: QualifiedAttribute,
): void => {
  const folded = local.toLowerCase();
  const isEvent = folded.startsWith('on') || FOREIGN[uri] !== undefined;
  if (isEvent) throw new Fault(`has the attribute ${name} on <${shown}>, which may run scripts`);
  const plain = [...value]
    .filter((sign) => sign > ' ')
    .join('')
    .toLowerCase();
  if (ADDRESSES.includes(folded) && isActive(plain)) {
    throw new Fault(`has the attribute ${name} on <${shown}>, which leads to a script or a page`);
  }
  const isMoved = folded === 'attributename' && ANIMATIONS.includes(element);
  const moved = plain.slice(plain.lastIndexOf(':') + 1);
  if (isMoved && (moved === 'href' || moved.startsWith('on'))) {
    throw new Fault(`changes the attribute ${value} by <${shown}>`);
  }
};

const ADDRESSES = ['href', 'src', 'from', 'to', 'by', 'values'];

/** Animations have several, parted by semicolons; so has a picture within an address. */
const isActive = (addresses: string): boolean => {
  const isPicture = PICTURES.some((start) => addresses.startsWith(start));
  return addresses
    .split(';')
    .slice(isPicture ? 1 : 0)
    .some((one) => [...SCRIPTS, 'data:'].some((start) => one.startsWith(start)));
};

const checkInstruction = (name: string, body: string): void => {
  if (name.toLowerCase() !== 'xml') throw new Fault(`holds the instruction <?${name}?>`);
  const [, said] = body.toLowerCase().split('encoding');
  const encoding = said?.split(/["']/)[1] ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(encoding)) throw new Fault('is not in UTF-8');
};
