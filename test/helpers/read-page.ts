// A page as a program sees it: its elements with their attributes, and what the head says.
import { Parser } from 'htmlparser2';

export type PageElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of this element alone. */
  text: string;
};

export type ReadPage = {
  readonly elements: readonly PageElement[];
  /** The contents of the meta elements with this name or property, in their order. */
  readonly metas: (name: string) => string[];
  /** The addresses of the links with this relation. */
  readonly links: (relation: string) => string[];
  readonly title: string;
  readonly lang: string | undefined;
  readonly jsonLd: Readonly<Record<string, unknown>> | null;
};

export const readPage = (html: string): ReadPage => {
  const elements: PageElement[] = [];
  const open: PageElement[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element = { name, attributes, text: '' };
        elements.push(element);
        open.push(element);
      },
      ontext: (text) => {
        const element = open.at(-1);
        if (element !== undefined) element.text += text;
      },
      onclosetag: () => void open.pop(),
    },
    { decodeEntities: true },
  );
  parser.end(html);
  const named = (name: string): PageElement[] =>
    elements.filter((element) => element.name === name);
  const data = named('script').find(({ attributes }) => attributes.type === 'application/ld+json');
  return {
    elements,
    metas: (name) =>
      named('meta')
        .filter(({ attributes }) => (attributes.name ?? attributes.property) === name)
        .map(({ attributes }) => attributes.content ?? ''),
    links: (relation) =>
      named('link')
        .filter(({ attributes }) => attributes.rel === relation)
        .map(({ attributes }) => attributes.href ?? ''),
    title: named('title')[0]?.text ?? '',
    lang: named('html')[0]?.attributes.lang,
    jsonLd: data === undefined ? null : (JSON.parse(data.text) as Record<string, unknown>),
  };
};
