// Styles as somebody stored them, without what fetches a file when they are shown. Only functions of CSS fetch, so that
// declarations stay which have none but those of colours and sizes. A backslash may spell any name.
const FETCHLESS = ['rgb', 'rgba', 'hsl', 'hsla', 'calc'];

export const stillStyle = (style: string): string => style.split(';').filter(isStill).join(';');

const isStill = (declaration: string): boolean =>
  !declaration.includes('\\') &&
  declaration
    .toLowerCase()
    .split('(')
    .slice(0, -1)
    .every((before) => FETCHLESS.some((name) => before.endsWith(name)));

/** The html with such styles alone, those of templates and of documents within it included. */
export const withStillStyles = (html: string): string => {
  const { body } = new DOMParser().parseFromString(`<body>${html}`, 'text/html');
  still(body);
  return body.innerHTML;
};

const still = (root: ParentNode): void => {
  for (const element of root.querySelectorAll('[style]')) {
    element.setAttribute('style', stillStyle(element.getAttribute('style') ?? ''));
  }
  for (const frame of root.querySelectorAll<HTMLIFrameElement>('iframe[srcdoc]')) {
    frame.srcdoc = withStillStyles(frame.srcdoc);
  }
  for (const template of root.querySelectorAll('template')) {
    // Within a picture of lines it is none of html.
    if (template instanceof HTMLTemplateElement) still(template.content);
  }
};
