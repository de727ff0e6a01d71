// Reads html as a row of events: elements that open and close, texts, and other nodes. It builds no tree, so that its
// cost grows with the text alone. The parser is the one that Ghost makes its plain text with. Reading ends where a
// body is too deep to be shown.
import { Parser } from 'htmlparser2';
import { BODY_DEPTH_MAX } from '../../../base/limits.ts';

export type Attributes = Readonly<Record<string, string | undefined>>;

export type MarkupHandler = {
  readonly open: (name: string, attributes: Attributes) => void;
  /** The innermost element ends. */
  readonly close: () => void;
  /** Called with each text, whole, its references as they are written. */
  readonly text: (text: string) => void;
  /** A comment, a declaration or an instruction. */
  readonly other: () => void;
};

export class MarkupReader {
  readonly #html: string;
  readonly #handler: MarkupHandler;
  readonly #parser: MarkupParser;
  #at = 0;
  /** What was read of the present text; tags without any effect do not end it. */
  #text = '';
  #depth = 0;
  #depthMax = 0;

  constructor(html: string, handler: MarkupHandler) {
    this.#html = html;
    this.#handler = handler;
    const other = (): void => {
      this.#endText();
      handler.other();
    };
    this.#parser = new MarkupParser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        onclosetag: (name) => this.#close(name),
        ontext: (text) => {
          this.#text += text;
        },
        oncomment: other,
        onprocessinginstruction: other,
      },
      // After a `<` that begins no tag, the parser would leave references as they are.
      { decodeEntities: false },
    );
  }

  /** More elements were open at once than a body may have; what follows was not read. */
  get isTooDeep(): boolean {
    return this.#depthMax > BODY_DEPTH_MAX;
  }

  /** Reads on for about as many units; answers whether there is more. */
  read(units = Number.POSITIVE_INFINITY): boolean {
    const end = this.#at + units;
    while (this.#at < this.#html.length) {
      if (this.isTooDeep) return false;
      if (this.#at >= end) return true;
      // The parser copies what it has of an unended comment or value at each write.
      const step = Math.max(STEP_UNITS, Math.floor(this.#at / STEPS_TO_DOUBLE));
      this.#parser.write(this.#html.slice(this.#at, this.#at + step));
      this.#at += step;
    }
    this.#parser.end();
    this.#endText();
    return false;
  }

  #open(name: string, attributes: Attributes): void {
    this.#endText();
    this.#parser.open.set(name, (this.#parser.open.get(name) ?? 0) + 1);
    this.#depth += 1;
    this.#depthMax = Math.max(this.#depthMax, this.#depth);
    this.#handler.open(name, attributes);
  }

  #close(name: string): void {
    this.#endText();
    this.#parser.open.set(name, (this.#parser.open.get(name) ?? 0) - 1);
    this.#depth -= 1;
    this.#handler.close();
  }

  #endText(): void {
    if (this.#text === '') return;
    this.#handler.text(this.#text);
    this.#text = '';
  }
}

/** After each step the depth is looked at. */
const STEP_UNITS = 4_096;
const STEPS_TO_DOUBLE = 8;

/** The parser looks through all open elements for the one that a tag closes: it is asked only when there is one. */
export class MarkupParser extends Parser {
  /** How many elements of each name are open. */
  readonly open = new Map<string, number>();

  override onclosetag(name: string): void {
    const key = name.toLowerCase();
    if ((this.open.get(key) ?? 0) > 0 || HANDLED_UNOPENED.has(key)) super.onclosetag(name);
  }
}

/** Closing tags that mean something without an opening one. */
const HANDLED_UNOPENED: ReadonlySet<string> = new Set(
  'p br svg math mi mo mn ms mtext annotation-xml foreignobject desc title'.split(' '),
);
