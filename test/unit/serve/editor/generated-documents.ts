// 200 documents of Ghost's editor, the same ones each time: every kind of text and every card, with properties set,
// left out and odd.
export const GENERATED = 200;
export const GENERATED_SITE = 'https://news.example';

type Choose = <T>(values: readonly T[]) => T;
type Node = { readonly [property: string]: unknown };

/** Mulberry32: small, and the same on every machine. */
const createChoose = (seed: number): Choose => {
  let state = seed;
  return (values) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const at = ((mixed ^ (mixed >>> 14)) >>> 0) % values.length;
    return values[at] as (typeof values)[number];
  };
};

const TEXTS = [
  ...['Plain', 'A < B & "C"', 'Ünï 日本 👩‍💻', ' spaced  out ', "it's", ''],
  'https://a.example/?a=1&b=2',
];
const HTML = [
  '',
  '<b>Bold</b> &amp; <a href="https://news.example/x/">x</a>',
  '<p>P</p><script>1</script>',
  'Text',
];
const URLS = [
  'https://news.example/content/images/a.png',
  'https://other.example/a?b=1&c=2',
  'javascript:alert(1)',
  '',
];
const FLAGS = [true, false];
const SIZES = [null, 1, 400, 2000];
const COLORS = ['#000000', '#ff00aa', 'accent', 'transparent', 'grey'];
const ALL_MEMBERS = 'status:free,status:-free';

const text = (choose: Choose): Node => ({
  type: choose(['text', 'extended-text']),
  version: 1,
  detail: 0,
  mode: 'normal',
  style: '',
  format: choose([0, 0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 9, 27]),
  text: choose(TEXTS),
});

const link = (choose: Choose): Node => ({
  type: 'link',
  version: 1,
  url: choose(URLS),
  rel: choose([null, 'nofollow']),
  target: choose([null, '_blank']),
  title: choose([null, 'T "t"']),
  direction: 'ltr',
  format: '',
  indent: 0,
  children: [text(choose)],
});

const inline = (choose: Choose): Node[] =>
  Array.from({ length: choose([0, 1, 2, 4]) }, () =>
    choose([text, text, link, (): Node => ({ type: 'linebreak', version: 1 })])(choose),
  );

const element = (choose: Choose, type: string, more: Node = {}): Node => ({
  type,
  version: 1,
  direction: 'ltr',
  format: '',
  indent: 0,
  children: inline(choose),
  ...more,
});

const list = (choose: Choose, levels = 0): Node => {
  const listType = choose(['bullet', 'number']);
  const items = Array.from({ length: choose([1, 2, 3]) }, (_, at) =>
    element(choose, 'listitem', {
      value: at + 1,
      ...(levels > 0 && choose(FLAGS) && { children: [list(choose, levels - 1)] }),
    }),
  );
  return element(choose, 'list', {
    listType,
    tag: listType === 'bullet' ? 'ul' : 'ol',
    start: 1,
    children: items,
  });
};

const visibility = (choose: Choose): Node => ({
  web: { nonMember: choose(FLAGS), memberSegment: choose(['', 'status:free', ALL_MEMBERS]) },
  email: { memberSegment: choose(['', ALL_MEMBERS]) },
});

const image = (choose: Choose): Node => ({
  src: choose(URLS),
  fileName: 'a.png',
  width: choose([400, 2000]),
  height: choose([300, 1000]),
  row: 0,
  alt: choose(TEXTS),
});

const MARKDOWN = [
  '# H\n\n- a\n- b',
  'a[^1]\n\n[^1]: note',
  '==m== H~2~O x^2^',
  '<i>x</i> ![a](https://other.example/a.png)',
  '',
];
const IFRAMES = ['<iframe src="https://other.example/"></iframe>', ''];
const METADATA = 'title:text description:text author:text publisher:text icon:url thumbnail:url';

const KINDS: Readonly<Record<string, (choose: Choose) => unknown>> = {
  text: (choose) => choose(TEXTS),
  html: (choose) => choose(HTML),
  url: (choose) => choose(URLS),
  flag: (choose) => choose(FLAGS),
  size: (choose) => choose(SIZES),
  color: (choose) => choose(COLORS),
  markdown: (choose) => choose(MARKDOWN),
  iframe: (choose) => choose(IFRAMES),
  labels: (choose) => choose([[], ['a', 'b']]),
  images: (choose) => Array.from({ length: choose([0, 1, 3, 5]) }, () => image(choose)),
  visibility,
  metadata: (choose) => propertiesOf(choose, METADATA),
  empty: () => ({}),
};

/** Properties of each card with their kinds, or with the values that they may have; of each one a few are left out. */
const CARDS: Readonly<Record<string, string>> = {
  codeblock: 'code:text language:|js caption:html',
  image: `src:url caption:html title:text alt:text cardWidth:regular|wide|full width:size
    height:size href:url`,
  markdown: 'markdown:markdown',
  video: `src:url caption:html fileName:v.mp4 mimeType:video/mp4 width:640|1920 height:360|1080
    duration:0|61.5|3700 thumbnailSrc:url customThumbnailSrc:url cardWidth:regular|wide|full
    loop:flag`,
  audio: 'src:url title:text duration:0|61.5|3700 mimeType:audio/mpeg thumbnailSrc:url',
  callout: 'calloutText:html calloutEmoji:💡| backgroundColor:blue|accent|x"y',
  'call-to-action': `layout:minimal|immersive alignment:left|center textValue:html showButton:flag
    showDividers:flag buttonText:text buttonUrl:url buttonColor:color buttonTextColor:color
    hasSponsorLabel:flag sponsorLabel:html backgroundColor:grey|none|pink linkColor:text|accent
    imageUrl:url imageWidth:size imageHeight:size visibility:visibility`,
  horizontalrule: '',
  html: 'html:html visibility:visibility',
  file: 'src:url fileTitle:text fileCaption:text fileName:f.pdf fileSize:0|1234|5000000',
  toggle: 'heading:html content:html',
  button: 'buttonText:text alignment:center|left buttonUrl:url',
  header: `version:1|2 size:small|large style:dark|image|accent buttonEnabled:flag buttonUrl:url
    buttonText:text header:html subheader:html backgroundImageSrc:url alignment:center|left
    backgroundColor:color textColor:color buttonColor:color buttonTextColor:color
    layout:full|wide|split swapped:flag`,
  bookmark: 'url:url caption:html metadata:metadata',
  paywall: '',
  product: `productImageSrc:url productImageWidth:size productImageHeight:size productTitle:html
    productDescription:html productRatingEnabled:flag productStarRating:0|3|5
    productButtonEnabled:flag productButton:text productUrl:url`,
  embed: 'url:url embedType:video|twitter| html:iframe metadata:empty caption:html',
  email: 'html:html',
  gallery: 'images:images caption:html',
  'email-cta': 'html:html buttonText:text buttonUrl:url showButton:flag',
  signup: `alignment:left|center backgroundColor:color backgroundImageSrc:url
    backgroundSize:cover|contain textColor:color buttonColor:color buttonTextColor:color
    buttonText:text disclaimer:html header:html subheader:html labels:labels
    layout:wide|full|split successMessage:text swapped:flag`,
  transistor: 'accentColor:color backgroundColor:color visibility:visibility',
};

const chosen = (choose: Choose, kind: string): unknown => {
  const known = KINDS[kind];
  if (known !== undefined) return known(choose);
  const values = kind.split('|');
  const value = values.length === 1 ? kind : choose(values);
  return /^\d/.test(value) ? Number(value) : value;
};

const propertiesOf = (choose: Choose, written: string): Node =>
  Object.fromEntries(
    written.split(/\s+/).flatMap((property) => {
      const [name = '', kind] = property.split(':');
      return kind === undefined ? [] : [[name, chosen(choose, kind)]];
    }),
  );

export const CARD_TYPES = Object.keys(CARDS);

const card = (choose: Choose, type: string): Node => {
  const properties = Object.entries(propertiesOf(choose, CARDS[type] ?? ''));
  const kept = properties.filter(
    ([name]) => name === 'version' || choose([true, true, true, false]),
  );
  return { type, version: 1, ...Object.fromEntries(kept) };
};

const block = (choose: Choose): Node =>
  choose([
    () => element(choose, 'paragraph'),
    () =>
      element(choose, choose(['heading', 'extended-heading']), {
        tag: choose(['h1', 'h2', 'h3', 'h6']),
      }),
    () => element(choose, choose(['quote', 'extended-quote', 'aside'])),
    () => list(choose, 2),
  ])();

export const generatedDocument = (index: number): string => {
  const choose = createChoose(index + 1);
  const type = CARD_TYPES[index % CARD_TYPES.length] ?? '';
  const children = [
    block(choose),
    card(choose, type),
    block(choose),
    card(choose, choose(CARD_TYPES)),
  ];
  return JSON.stringify({
    root: { type: 'root', version: 1, direction: 'ltr', format: '', indent: 0, children },
  });
};
