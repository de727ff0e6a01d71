// Why a drawing (SVG) is not taken: browsers run what is in one that is opened by its address. It is read in parts, as
// strict XML in UTF-8 without a document type of its own. What other programs note in a drawing, in namespaces that
// browsers know nothing of, is left alone.
import { createReadStream } from 'node:fs';
import { setImmediate as tick } from 'node:timers/promises';
import sax, { type QualifiedAttribute, type QualifiedTag, type SAXParser } from 'sax';
import {
  DRAWING_ATTRIBUTES_MAX,
  DRAWING_DEPTH_MAX,
  DRAWING_NAMESPACES_MAX,
  DRAWING_TAG_UNITS_MAX,
} from '../../../base/limits.ts';

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
/** What is parsed at once, in UTF-16 units. Each takes a tick of the event loop. */
const SLICE_UNITS = 4_096;

class Fault extends Error {}

/** Null when nothing is wrong. */
export const findSvgFault = async (file: string): Promise<SvgFault | null> => {
  const parser = createParser();
  const run: Run = { isDrawing: false, open: [], namespaces: 0 };
  parser.onopentag = (tag) => openElement(run, tag as QualifiedTag);
  parser.onclosetag = () => {
    run.namespaces -= run.open.pop() ?? 0;
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
      await parse(parser, decoder.decode(bytes as Buffer, { stream: true }));
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    const isOurs = error instanceof Fault;
    if (!isOurs && (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const { isDrawing } = run;
    const what = isOurs ? error.message : sayOfParser(error);
    return { isDrawing, sentence: `The SVG file ${what}.` };
  }
  return run.isDrawing ? null : { isDrawing: false, sentence: 'The file is not an SVG drawing.' };
};

/** `attribList`: the attributes of the tag that is being read. */
type Parser = SAXParser & { readonly attribList: readonly unknown[] };

const createParser = (): Parser => {
  // The library has one bound for all parsers, and 64 KB is less than many drawings have in a path.
  Object.assign(sax, { MAX_BUFFER_LENGTH: DRAWING_TAG_UNITS_MAX });
  return sax.parser(true, { xmlns: true }) as Parser;
};

const parse = async (parser: Parser, text: string): Promise<void> => {
  for (let at = 0; at < text.length; at += SLICE_UNITS) {
    parser.write(text.slice(at, at + SLICE_UNITS));
    checkTag(parser);
    await tick();
  }
};

/** Looks at the tag that is being read, if it has attributes. */
const checkTag = ({ attribList, position, startTagPosition }: Parser): void => {
  checkCount(attribList);
  if (attribList.length > 0 && position - startTagPosition > DRAWING_TAG_UNITS_MAX) throw tooLong();
};

const checkCount = (attributes: readonly unknown[]): void => {
  if (attributes.length <= DRAWING_ATTRIBUTES_MAX) return;
  throw new Fault(`has an element with more than ${DRAWING_ATTRIBUTES_MAX} attributes`);
};

const tooLong = (): Fault => new Fault('has a tag, value or comment of more than 512 kB');

const sayOfParser = (error: unknown): string =>
  String(error).includes('Max buffer length exceeded')
    ? tooLong().message
    : 'is not well-formed XML in UTF-8';

type Run = {
  isDrawing: boolean;
  /** How many namespaces each open element declares, the root first. */
  readonly open: number[];
  namespaces: number;
};

const openElement = (run: Run, { uri, local, name, attributes }: QualifiedTag): void => {
  if (run.open.length === 0) {
    if (run.isDrawing) throw new Fault('has more than one root');
    run.isDrawing = local === 'svg' && uri === SVG;
    if (!run.isDrawing) throw new Fault('has another root than <svg>');
  }
  const values = Object.values(attributes);
  checkCount(values);
  const declared = values.filter(declaresNamespace).length;
  run.open.push(declared);
  run.namespaces += declared;
  if (run.open.length > DRAWING_DEPTH_MAX)
    throw new Fault(`has elements nested deeper than ${DRAWING_DEPTH_MAX}`);
  if (run.namespaces > DRAWING_NAMESPACES_MAX) {
    throw new Fault(`declares more than ${DRAWING_NAMESPACES_MAX} namespaces`);
  }
  const kind = FOREIGN[uri];
  if (kind !== undefined) throw new Fault(`holds the ${kind} element <${name}>`);
  const folded = local.toLowerCase();
  if (ACTIVE.includes(folded))
    throw new Fault(`holds the element <${name}>, which may run scripts`);
  for (const attribute of values) checkAttribute(folded, name, attribute);
};

const declaresNamespace = ({ name, prefix }: QualifiedAttribute): boolean =>
  prefix === 'xmlns' || name === 'xmlns';

const checkAttribute = (
  element: string,
  shown: string,
  { local, name, value, uri }: QualifiedAttribute,
): void => {
  const folded = local.toLowerCase();
  const isEvent = folded.startsWith('on') || FOREIGN[uri] !== undefined;
  if (isEvent) throw new Fault(`has the attribute ${name} on <${shown}>, which may run scripts`);
  if (ADDRESSES.includes(folded) && isActive(plainOf(value))) {
    throw new Fault(`has the attribute ${name} on <${shown}>, which leads to a script or a page`);
  }
  if (folded !== 'attributename' || !ANIMATIONS.includes(element)) return;
  const moved = plainOf(value.slice(value.lastIndexOf(':') + 1));
  if (moved === 'href' || moved.startsWith('on')) {
    throw new Fault(`changes the attribute ${value} by <${shown}>`);
  }
};

/** Without white space and control characters, which browsers skip within addresses. */
const plainOf = (value: string): string => value.replace(/[^!-\uffff]+/g, '').toLowerCase();

const ACTIVE_STARTS = [...SCRIPTS, 'data:'];
const ADDRESSES = ['href', 'src', 'from', 'to', 'by', 'values'];

/** Animations have several, parted by semicolons; so has a picture within an address. */
const isActive = (addresses: string): boolean => {
  const isPicture = PICTURES.some((start) => addresses.startsWith(start));
  return addresses
    .split(';')
    .slice(isPicture ? 1 : 0)
    .some((one) => ACTIVE_STARTS.some((start) => one.startsWith(start)));
};

const checkInstruction = (name: string, body: string): void => {
  if (name.toLowerCase() !== 'xml') throw new Fault(`holds the instruction <?${name}?>`);
  const [, said] = body.toLowerCase().split('encoding');
  const encoding = said?.split(/["']/)[1] ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(encoding)) throw new Fault('is not in UTF-8');
};
