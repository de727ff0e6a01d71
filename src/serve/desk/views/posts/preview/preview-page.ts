// The page of a post as a frame shows it: it runs nothing and has no address, its styles fetch nothing, and what this
// server has comes from here. Where no pages are made it is the body, with the styles of preview.css.
import { BASE } from '../../../api.ts';
import { stillStyle, withStillStyles } from '../../../ui/still-style.ts';
import type { AnyPost } from '../writing/post-draft.ts';

/** `html`: the page that the server renders; null: it makes none. */
export const previewPage = (html: string | null, post: AnyPost, siteUrl: string): string => {
  // The policy refuses a style element while it is parsed, before it can have a nonce.
  const text = (html ?? bodyOf(post)).replace(STYLE, (_, end = '') => `<${end}template data-sheet`);
  const page = new DOMParser().parseFromString(text, 'text/html');
  page.body.innerHTML = withStillStyles(page.body.innerHTML);
  // Html of a body may give it attributes.
  for (const element of page.querySelectorAll('html[style], body[style]')) {
    element.setAttribute('style', stillStyle(element.getAttribute('style') ?? ''));
  }
  for (const element of page.querySelectorAll(UNUSED)) element.remove();
  for (const sheet of page.querySelectorAll(SHEETS)) admit(sheet);
  for (const name of ['src', 'href', 'poster']) {
    for (const element of page.querySelectorAll(`:not(a)[${name}]`)) {
      element.setAttribute(name, hereIn(element.getAttribute(name) ?? '', siteUrl));
    }
  }
  for (const element of page.querySelectorAll('[srcset]')) {
    const srcset = element.getAttribute('srcset') ?? '';
    if (siteUrl !== '') element.setAttribute('srcset', srcset.replaceAll(siteUrl, `${BASE}/`));
  }
  const { lang, dir } = page.documentElement;
  page.documentElement.lang = lang || 'en';
  page.documentElement.dir = dir;
  return `<!doctype html>${page.documentElement.outerHTML}`;
};

const UNUSED = 'script, base, meta[http-equiv], link:not([rel="stylesheet"])';

const STYLE = /<(\/?)style\b/gi;
const SHEETS = 'template[data-sheet]';

/** Also what would end a style element, and have others after it. */
const FETCHING = /\\|<\/|@import|(?:url|src|image|image-set|cross-fade)\(/i;

/** The policy of the desk's page holds in the frame, too. */
const admit = (sheet: Element): void => {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  // Within a picture of lines it is no template of html.
  const held = sheet instanceof HTMLTemplateElement ? sheet.content : sheet;
  const text = held.textContent ?? '';
  const style = sheet.ownerDocument.createElementNS(sheet.namespaceURI, 'style');
  style.setAttribute('nonce', nonce);
  style.textContent = text;
  if (nonce === '' || FETCHING.test(text)) sheet.remove();
  else sheet.replaceWith(style);
};

/** Files of the site, which its public address may not have yet. */
const hereIn = (address: string, siteUrl: string): string => {
  // Not known yet: the policy of the page keeps what is elsewhere from loading.
  if (siteUrl === '' || !URL.canParse(address, siteUrl)) return address;
  const { href } = new URL(address, siteUrl);
  return href.startsWith(siteUrl) ? `${BASE}/${href.slice(siteUrl.length)}` : href;
};

const bodyOf = ({ title, feature_image, html }: AnyPost): string => {
  const image = feature_image ? `<img src="${escaped(feature_image)}" alt="">` : '';
  return `<title>${escaped(title)}</title><link rel="stylesheet" href="${BASE}/desk/preview.css">
<article><h1>${escaped(title)}</h1>${image}${html ?? ''}</article>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
