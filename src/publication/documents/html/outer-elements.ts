// The elements of html that lie in no other, with what is in them. The caller sees to it that none is too deep.
import { MarkupParser } from './markup-reader.ts';

export type OuterElement = {
  readonly start: number;
  readonly end: number;
  /** Its own. */
  readonly classes: readonly string[];
  /** Of itself and of all elements in it, each once. */
  readonly names: readonly string[];
  readonly hasLinkedPicture: boolean;
  /** Whether a span in it, or it itself, has attributes. */
  readonly hasSpan: boolean;
};

export const findOuterElements = (html: string): OuterElement[] => {
  const elements: OuterElement[] = [];
  const names = new Set<string>();
  let classes: readonly string[] = [];
  let hasLinkedPicture = false;
  let hasSpan = false;
  let start = 0;
  let depth = 0;
  let links = 0;
  const parser = new MarkupParser(
    {
      onopentag: (name, attributes) => {
        parser.open.set(name, (parser.open.get(name) ?? 0) + 1);
        if (depth === 0) {
          start = parser.startIndex;
          classes = (attributes.class ?? '').split(/\s+/);
          hasLinkedPicture = false;
          hasSpan = false;
          names.clear();
        }
        depth += 1;
        names.add(name);
        if (name === 'a') links += 1;
        if (name === 'img' && links > 0) hasLinkedPicture = true;
        if (name === 'span' && Object.keys(attributes).length > 0) hasSpan = true;
      },
      onclosetag: (name) => {
        parser.open.set(name, (parser.open.get(name) ?? 0) - 1);
        depth -= 1;
        if (name === 'a') links -= 1;
        if (depth > 0) return;
        const end = Math.min((parser.endIndex ?? html.length) + 1, html.length);
        elements.push({ start, end, classes, names: [...names], hasLinkedPicture, hasSpan });
      },
    },
    { decodeEntities: false },
  );
  parser.end(html);
  return elements;
};
