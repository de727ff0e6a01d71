// Ghost's own packages, loaded at their first use. They are loaded by `require`, as Ghost does, so that all of them
// have one copy of Lexical.
import { createRequire } from 'node:module';
import * as z from 'zod';

/** How the addresses in a card are found: a path to a text, or to a list of such. */
export type UrlMap = { readonly [path: string]: string | UrlMap };

export type Renderers = {
  /** Types of nodes that are read, with the places of addresses in those that are cards. */
  readonly nodeTypes: ReadonlyMap<string, UrlMap | null>;
  /** Throws what the packages throw. */
  readonly renderLexical: (
    lexical: string,
    siteUrl: string,
    widths?: readonly number[],
  ) => Promise<string>;
  readonly lexicalOfHtml: (html: string) => unknown;
  readonly lexicalOfMobiledoc: (mobiledoc: string) => string;
};

type RenderOptions = {
  readonly siteUrl: string;
  readonly imageOptimization: {
    readonly srcsets: boolean;
    readonly contentImageSizes: Readonly<Record<string, { readonly width: number }>>;
  };
  readonly canTransformImage: (src: string) => boolean;
};
type Renderer = { readonly render: (text: string, options: RenderOptions) => Promise<string> };
type RendererClass = new (options: {
  readonly nodes: readonly unknown[];
  readonly onError: (error: unknown) => void;
}) => Renderer;
type AnyFunction = (...values: readonly unknown[]) => unknown;

const callable = z.custom<AnyFunction>((value) => typeof value === 'function');
const nodeClass = z
  .custom<{ getType: () => string; urlTransformMap?: UrlMap }>(
    (value) => callable.safeParse(value).success,
  )
  .refine((value) => typeof value.getType === 'function');

const defaultNodes = z.object({ DEFAULT_NODES: z.array(z.unknown()) });
const htmlToLexical = z.object({ htmlToLexical: callable });
const converters = z.object({ mobiledocToLexical: callable });
const rendererModule = z.union([
  callable,
  z.object({ LexicalHTMLRenderer: callable }).transform((module) => module.LexicalHTMLRenderer),
]);

/** Of Lexical itself, and of its packages that the renderer adds. */
const PLAIN_TYPES = [
  'root',
  'paragraph',
  'text',
  'linebreak',
  'tab',
  'heading',
  'list',
  'listitem',
  'quote',
  'link',
];

export const loadRenderers = (place: string): Renderers => {
  const load = createRequire(place);
  const nodes = defaultNodes.parse(load('@tryghost/kg-default-nodes')).DEFAULT_NODES;
  const Renderer = rendererModule.parse(load('@tryghost/kg-lexical-html-renderer'));
  const renderer = new (Renderer as unknown as RendererClass)({
    nodes,
    onError: (error) => {
      throw error;
    },
  });
  return {
    nodeTypes: typesOf(nodes),
    renderLexical: (lexical, siteUrl, widths = []) => {
      const contentImageSizes = Object.fromEntries(widths.map((width) => [`w${width}`, { width }]));
      const imageOptimization = { srcsets: widths.length > 0, contentImageSizes };
      return renderer.render(lexical, { siteUrl, imageOptimization, canTransformImage });
    },
    lexicalOfHtml: (html) =>
      htmlToLexical.parse(load('@tryghost/kg-html-to-lexical')).htmlToLexical(html),
    lexicalOfMobiledoc: (mobiledoc) =>
      String(
        converters
          .parse(load('@tryghost/kg-converters'))
          .mobiledocToLexical(withPresentCards(mobiledoc)),
      ),
  };
};

const cardsOf = z.looseObject({
  cards: z.array(z.tuple([z.string()]).rest(z.unknown())),
});

const imageStyle = z.looseObject({ imageStyle: z.string() });

/**
 * Ghost 1 wrote `card-markdown`, which Ghost renders as `markdown`, and `imageStyle` of pictures, which is `cardWidth`.
 * What is no such document stays as it is.
 */
const withPresentCards = (mobiledoc: string): string => {
  if (!/"(?:card-markdown|imageStyle)"/.test(mobiledoc)) return mobiledoc;
  const document = cardsOf.parse(JSON.parse(mobiledoc));
  const cards = document.cards.map(([name, payload, ...rest]) => {
    const styled = name === 'image' ? imageStyle.safeParse(payload).data : undefined;
    const present = styled === undefined ? payload : { ...styled, cardWidth: styled.imageStyle };
    return [name === 'card-markdown' ? 'markdown' : name, present, ...rest];
  });
  return JSON.stringify({ ...document, cards });
};

/** Drawings and icons have no sizes. */
const canTransformImage = (src: string): boolean => !/\.(?:svgz?|ico)(?:[?#]|$)/i.test(src);

const typesOf = (nodes: readonly unknown[]): Map<string, UrlMap | null> => {
  const types = new Map<string, UrlMap | null>(PLAIN_TYPES.map((type) => [type, null]));
  for (const node of nodes) {
    const known = nodeClass.safeParse(node);
    if (known.success) types.set(known.data.getType(), known.data.urlTransformMap ?? null);
  }
  return types;
};
