// What the page's policy cannot tell apart once the editor shows what somebody stored: style elements of its own code
// get the page's nonce, documents in frames of embeds run no script, and styles fetch nothing.
import { withStillStyles } from '../ui/still-style.ts';

const NO_SCRIPTS = `<meta http-equiv="content-security-policy" content="script-src 'none'">`;

/** CodeMirror, icons, and the pickers of colours and emoji make style elements. One in a card's html has no nonce. */
const guardElement = (element: Element, nonce: string): void => {
  const isStyle = element instanceof HTMLStyleElement || element instanceof SVGStyleElement;
  if (isStyle) element.nonce = nonce;
  if (!(element instanceof HTMLIFrameElement)) return;
  element.setAttribute = (name, value) => {
    const isDocument = name.toLowerCase() === 'srcdoc';
    Element.prototype.setAttribute.call(element, name, isDocument ? NO_SCRIPTS + value : value);
  };
};

/** For good: called once. */
export const guardPage = (): void => {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  for (const name of ['createElement', 'createElementNS'] as const) {
    const make = Document.prototype[name] as (...given: unknown[]) => Element;
    const guarded = (...given: unknown[]): Element => {
      const element = make.apply(document, given);
      guardElement(element, nonce);
      return element;
    };
    Object.defineProperty(document, name, { value: guarded });
  }
  // A card that shows html sets it at once, and may measure it before anybody else has seen it.
  const inner = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML') ?? {};
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...inner,
    set(this: Element, html: string) {
      inner.set?.call(this, /style/i.test(html) ? withStillStyles(html) : html);
    },
  });
};
