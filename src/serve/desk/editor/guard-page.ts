// What the page's policy cannot tell apart while the editor shows what somebody stored: style elements of its own code
// get the page's nonce, documents in frames of embeds run no script, and styles fetch nothing.
import { withStillStyles } from '../ui/still-style.ts';

const NO_SCRIPTS = `<meta http-equiv="content-security-policy" content="script-src 'none'">`;

/** CodeMirror and the pickers of colours and emoji make style elements. One in a card's html has no nonce. */
const guardElement = (element: HTMLElement, nonce: string): void => {
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  if (!(element instanceof HTMLIFrameElement)) return;
  element.setAttribute = (name, value) => {
    const isDocument = name.toLowerCase() === 'srcdoc';
    Element.prototype.setAttribute.call(element, name, isDocument ? NO_SCRIPTS + value : value);
  };
};

/** Returns what ends it. */
export const guardPage = (): (() => void) => {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = Document.prototype.createElement.call(document, name, options);
    guardElement(element, nonce);
    return element;
  };
  // A card that shows html sets it at once, and may measure it before anybody else has seen it.
  const inner = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML') ?? {};
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...inner,
    set(this: Element, html: string) {
      inner.set?.call(this, /style/i.test(html) ? withStillStyles(html) : html);
    },
  });
  return () => {
    Reflect.deleteProperty(document, 'createElement');
    Object.defineProperty(Element.prototype, 'innerHTML', inner);
  };
};
