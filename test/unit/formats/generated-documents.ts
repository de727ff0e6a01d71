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

/** Properties of each card; of each one a few are left out. */
const CARDS: Readonly<Record<string, (choose: Choose) => Node>> = {
  codeblock: (c) => ({ code: c(TEXTS), language: c(['', 'js']), caption: c(HTML) }),
  image: (c) => ({
    src: c(URLS),
    caption: c(HTML),
    title: c(TEXTS),
    alt: c(TEXTS),
    cardWidth: c(['regular', 'wide', 'full']),
    width: c(SIZES),
    height: c(SIZES),
    href: c(URLS),
  }),
  markdown: (c) => ({
    markdown: c([
      '# H\n\n- a\n- b',
      'a[^1]\n\n[^1]: note',
      '==m== H~2~O x^2^',
      '<i>x</i> ![a](https://other.example/a.png)',
      '',
    ]),
  }),
  video: (c) => ({
    src: c(URLS),
    caption: c(HTML),
    fileName: 'v.mp4',
    mimeType: 'video/mp4',
    width: c([640, 1920]),
    height: c([360, 1080]),
    duration: c([0, 61.5, 3700]),
    thumbnailSrc: c(URLS),
    customThumbnailSrc: c(URLS),
    cardWidth: c(['regular', 'wide', 'full']),
    loop: c(FLAGS),
  }),
  audio: (c) => ({
    src: c(URLS),
    title: c(TEXTS),
    duration: c([0, 61.5, 3700]),
    mimeType: 'audio/mpeg',
    thumbnailSrc: c(URLS),
  }),
  callout: (c) => ({
    calloutText: c(HTML),
    calloutEmoji: c(['💡', '']),
    backgroundColor: c(['blue', 'accent', 'x"y']),
  }),
  'call-to-action': (c) => ({
    layout: c(['minimal', 'immersive']),
    alignment: c(['left', 'center']),
    textValue: c(HTML),
    showButton: c(FLAGS),
    showDividers: c(FLAGS),
    buttonText: c(TEXTS),
    buttonUrl: c(URLS),
    buttonColor: c(COLORS),
    buttonTextColor: c(COLORS),
    hasSponsorLabel: c(FLAGS),
    sponsorLabel: c(HTML),
    backgroundColor: c(['grey', 'none', 'pink']),
    linkColor: c(['text', 'accent']),
    imageUrl: c(URLS),
    imageWidth: c(SIZES),
    imageHeight: c(SIZES),
    visibility: visibility(c),
  }),
  horizontalrule: () => ({}),
  html: (c) => ({ html: c(HTML), visibility: visibility(c) }),
  file: (c) => ({
    src: c(URLS),
    fileTitle: c(TEXTS),
    fileCaption: c(TEXTS),
    fileName: 'f.pdf',
    fileSize: c([0, 1234, 5_000_000]),
  }),
  toggle: (c) => ({ heading: c(HTML), content: c(HTML) }),
  button: (c) => ({ buttonText: c(TEXTS), alignment: c(['center', 'left']), buttonUrl: c(URLS) }),
  header: (c) => ({
    version: c([1, 2]),
    size: c(['small', 'large']),
    style: c(['dark', 'image', 'accent']),
    buttonEnabled: c(FLAGS),
    buttonUrl: c(URLS),
    buttonText: c(TEXTS),
    header: c(HTML),
    subheader: c(HTML),
    backgroundImageSrc: c(URLS),
    alignment: c(['center', 'left']),
    backgroundColor: c(COLORS),
    textColor: c(COLORS),
    buttonColor: c(COLORS),
    buttonTextColor: c(COLORS),
    layout: c(['full', 'wide', 'split']),
    swapped: c(FLAGS),
  }),
  bookmark: (c) => ({
    url: c(URLS),
    caption: c(HTML),
    metadata: {
      title: c(TEXTS),
      description: c(TEXTS),
      author: c(TEXTS),
      publisher: c(TEXTS),
      icon: c(URLS),
      thumbnail: c(URLS),
    },
  }),
  paywall: () => ({}),
  product: (c) => ({
    productImageSrc: c(URLS),
    productImageWidth: c(SIZES),
    productImageHeight: c(SIZES),
    productTitle: c(HTML),
    productDescription: c(HTML),
    productRatingEnabled: c(FLAGS),
    productStarRating: c([0, 3, 5]),
    productButtonEnabled: c(FLAGS),
    productButton: c(TEXTS),
    productUrl: c(URLS),
  }),
  embed: (c) => ({
    url: c(URLS),
    embedType: c(['video', 'twitter', '']),
    html: c(['<iframe src="https://other.example/"></iframe>', '']),
    metadata: {},
    caption: c(HTML),
  }),
  email: (c) => ({ html: c(HTML) }),
  gallery: (c) => ({
    images: Array.from({ length: c([0, 1, 3, 5]) }, () => image(c)),
    caption: c(HTML),
  }),
  'email-cta': (c) => ({
    html: c(HTML),
    buttonText: c(TEXTS),
    buttonUrl: c(URLS),
    showButton: c(FLAGS),
  }),
  signup: (c) => ({
    alignment: c(['left', 'center']),
    backgroundColor: c(COLORS),
    backgroundImageSrc: c(URLS),
    backgroundSize: c(['cover', 'contain']),
    textColor: c(COLORS),
    buttonColor: c(COLORS),
    buttonTextColor: c(COLORS),
    buttonText: c(TEXTS),
    disclaimer: c(HTML),
    header: c(HTML),
    subheader: c(HTML),
    labels: c([[], ['a', 'b']]),
    layout: c(['wide', 'full', 'split']),
    successMessage: c(TEXTS),
    swapped: c(FLAGS),
  }),
  transistor: (c) => ({
    accentColor: c(COLORS),
    backgroundColor: c(COLORS),
    visibility: visibility(c),
  }),
};

export const CARD_TYPES = Object.keys(CARDS);

const card = (choose: Choose, type: string): Node => {
  const properties = Object.entries(CARDS[type]?.(choose) ?? {});
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
