// One of each card of Ghost's editor, as docs/cards.md shows them and the tests look at them: nodes of editor documents, made into
// html by Ghost's own renderers. Pictures and sound are in the addresses, so that the page needs no other file.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const nodes = require('@tryghost/kg-default-nodes').DEFAULT_NODES;
const loaded = require('@tryghost/kg-lexical-html-renderer');
const Renderer = loaded.LexicalHTMLRenderer ?? loaded;

/** Hills under a sky, of any size. */
const picture = (width, height, hue = 200) => {
  const y = (share) => Math.round(height * share);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="hsl(${hue} 55% 82%)"/><circle cx="${width * 0.72}" cy="${y(0.3)}" r="${y(0.09)}" fill="hsl(${hue + 180} 80% 92%)"/><path d="M0 ${y(0.7)} ${width * 0.3} ${y(0.42)} ${width * 0.55} ${y(0.66)} ${width * 0.8} ${y(0.46)} ${width} ${y(0.64)}V${height}H0Z" fill="hsl(${hue} 35% 52%)"/><path d="M0 ${y(0.86)} ${width * 0.4} ${y(0.66)} ${width} ${y(0.88)}V${height}H0Z" fill="hsl(${hue} 40% 30%)"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

/** A tone of three seconds. */
const sound = () => {
  const rate = 4_000;
  const samples = Buffer.from(
    Array.from({ length: rate * 3 }, (_, at) => 128 + Math.round(40 * Math.sin((at * 440) / 636))),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return `data:audio/wav;base64,${Buffer.concat([head, samples]).toString('base64')}`;
};

const image = (cardWidth, width, height, caption = '') => ({
  type: 'image',
  src: picture(width, height),
  alt: 'Hills in the morning',
  width,
  height,
  cardWidth,
  caption,
});

const galleryImage = (row, width, height, hue) => ({
  row,
  fileName: `${hue}.jpg`,
  src: picture(width, height, hue),
  alt: '',
  width,
  height,
});

const header = (more) => ({
  type: 'header',
  version: 2,
  size: 'small',
  style: 'dark',
  header: 'The harbour at dawn',
  subheader: 'Four letters a year about boats, salt and the people who mend both.',
  buttonEnabled: true,
  buttonUrl: 'https://example.com/more',
  buttonText: 'Read the first letter',
  backgroundImageSrc: '',
  backgroundColor: '#15171a',
  textColor: '#ffffff',
  buttonColor: '#ffffff',
  buttonTextColor: '#000000',
  alignment: 'center',
  layout: 'full',
  ...more,
});

const callToAction = (more) => ({
  type: 'call-to-action',
  layout: 'minimal',
  alignment: 'left',
  textValue: '<p><strong>Keep the light on.</strong> Supporters pay for lamp oil and paper.</p>',
  showButton: true,
  showDividers: true,
  buttonText: 'Support the letter',
  buttonUrl: 'https://example.com/support',
  buttonColor: 'accent',
  buttonTextColor: '#ffffff',
  hasSponsorLabel: true,
  sponsorLabel: '<p>SPONSORED</p>',
  backgroundColor: 'grey',
  linkColor: 'text',
  imageUrl: '',
  ...more,
});

const signup = (more) => ({
  type: 'signup',
  alignment: 'left',
  header: 'Get the next letter',
  subheader: 'It comes when it is ready, four times a year.',
  disclaimer: 'No other mail. Leave at any time.',
  buttonText: 'Subscribe',
  buttonColor: '#ffffff',
  buttonTextColor: '#000000',
  textColor: '#ffffff',
  backgroundColor: '#123b4d',
  layout: 'wide',
  labels: [],
  ...more,
});

const CALLOUTS = ['grey', 'white', 'blue', 'green', 'yellow', 'red', 'pink', 'purple', 'accent'];

const bookmark = (metadata, caption = '') => ({
  type: 'bookmark',
  url: 'https://example.com/tides',
  metadata: {
    title: 'How to read a tide table without getting your boots wet',
    description:
      'Columns, datums and the rule of twelfths, explained on one page, with a table that you can take along and a pencil.',
    author: 'Sachiko Lind',
    publisher: 'The Tide Table',
    icon: picture(32, 32),
    thumbnail: picture(640, 400, 30),
    ...metadata,
  },
  caption,
});

const toggle = (heading) => ({
  type: 'toggle',
  heading,
  content:
    '<p>Two hours after high water, or when the bell stops. <a href="https://example.com/bell">Hear it.</a></p>',
});

const video = (more) => ({
  type: 'video',
  src: sound(),
  width: 1280,
  height: 720,
  duration: 3,
  thumbnailSrc: picture(1280, 720, 250),
  caption: 'The ferry, from the quay',
  cardWidth: 'regular',
  ...more,
});

const audio = (more) => ({
  type: 'audio',
  title: 'The foghorn, tuned',
  src: sound(),
  duration: 3,
  mimeType: 'audio/wav',
  ...more,
});

/** Ghost shows this card to members alone, unless it is told. */
const EVERYBODY = { web: { nonMember: true, memberSegment: 'status:free,status:-free' } };
const TRANSISTOR = 'https://partner.transistor.fm/ghost/embed/%7Buuid%7D';

const embed = (html, caption = '') => ({
  type: 'embed',
  url: 'https://video.example/1',
  embedType: 'video',
  html,
  metadata: {},
  caption,
});

const COLUMNS = ['Harbour', ...Array.from({ length: 12 }, (_, month) => `Month ${month + 1}`)];
const TABLE = [COLUMNS, COLUMNS.map(() => '---'), COLUMNS.map((_, at) => `4.${at} metres`)]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');

/** Title and nodes, in the order of the editor's menu. */
export const CARDS = [
  [
    'Image',
    [
      image('regular', 1200, 750, 'Hills, with a caption'),
      { ...image('wide', 900, 450), href: 'https://example.com/hills' },
    ],
  ],
  ['Image, full width', [image('full', 2400, 900, 'From one side of the page to the other')]],
  [
    'Gallery',
    [
      {
        type: 'gallery',
        caption: 'Five pictures in two rows',
        images: [
          galleryImage(0, 1200, 800, 200),
          galleryImage(0, 800, 1200, 140),
          galleryImage(0, 1200, 1200, 20),
          galleryImage(1, 1600, 900, 260),
          galleryImage(1, 1200, 900, 320),
        ],
      },
    ],
  ],
  ['Bookmark', [bookmark({}, 'With a caption'), bookmark({ thumbnail: '', icon: '', author: '' })]],
  [
    'Embed',
    [
      embed('<iframe width="200" height="113" src="about:blank"></iframe>', 'A film'),
      embed('<iframe width="100%" height="152" src="about:blank" title="A song"></iframe>'),
      embed('<blockquote><p>The bell has stopped.</p>The harbour office, 1 May</blockquote>'),
    ],
  ],
  ['Transistor', [{ type: 'transistor', visibility: EVERYBODY }]],
  [
    'Callout',
    CALLOUTS.map((backgroundColor) => ({
      type: 'callout',
      backgroundColor,
      calloutEmoji: backgroundColor === 'white' ? '' : '⚓',
      calloutText: `<p>A callout in <strong>${backgroundColor}</strong>, with <a href="https://example.com/link">a link</a> in its text.</p>`,
    })),
  ],
  [
    'Toggle',
    [
      toggle('When does the ferry leave?'),
      toggle('And how is anybody to know which of the two bells it is that stops?'),
    ],
  ],
  [
    'Button',
    ['center', 'left'].map((alignment) => ({
      type: 'button',
      buttonText: 'Read the timetable',
      buttonUrl: 'https://example.com/timetable',
      alignment,
    })),
  ],
  [
    'File',
    [
      {
        type: 'file',
        src: 'https://example.com/file',
        fileTitle: 'Tide table 2026',
        fileCaption: 'All harbours from the cape to the lighthouse',
        fileName: 'tide-table-2026-with-all-corrections-of-the-second-edition.pdf',
        fileSize: 482_133,
      },
    ],
  ],
  ['Audio', [audio({}), audio({ thumbnailSrc: picture(200, 200, 90) })]],
  ['Video', [video({}), video({ loop: true, cardWidth: 'wide', caption: '' })]],
  [
    'Product',
    [
      {
        type: 'product',
        productTitle: 'Brass barometer',
        productDescription: '<p>It falls before you feel it. Made by hand, one a week.</p>',
        productUrl: 'https://example.com/barometer',
        productButton: 'Order one',
        productButtonEnabled: true,
        productRatingEnabled: true,
        productStarRating: 4,
        productImageSrc: picture(900, 600, 45),
        productImageWidth: 900,
        productImageHeight: 600,
      },
    ],
  ],
  [
    'Header',
    [
      header({}),
      header({ layout: 'split', backgroundImageSrc: picture(1200, 900, 10), alignment: 'left' }),
      header({ layout: 'wide', backgroundColor: 'accent', buttonColor: '#ffffff' }),
      header({
        layout: 'regular',
        backgroundImageSrc: picture(1200, 700, 230),
        alignment: 'left',
        textColor: '#000000',
        buttonColor: 'accent',
        buttonTextColor: '#ffffff',
      }),
    ],
  ],
  [
    'Header of earlier versions',
    ['dark', 'light', 'accent', 'image'].map((style) =>
      header({ version: 1, style, backgroundImageSrc: picture(1600, 700, 260) }),
    ),
  ],
  [
    'Call to action',
    [
      callToAction({ imageUrl: picture(400, 400, 60), imageWidth: 400, imageHeight: 400 }),
      callToAction({ backgroundColor: 'none', hasSponsorLabel: false, buttonColor: '#000000' }),
      callToAction({
        linkColor: 'accent',
        textValue: '<p>Paid in oil, <a href="https://example.com/oil">as ever</a>.</p>',
        showButton: false,
        backgroundColor: 'green',
      }),
      callToAction({
        layout: 'immersive',
        alignment: 'center',
        backgroundColor: 'yellow',
        imageUrl: picture(1200, 600, 180),
        imageWidth: 1200,
        imageHeight: 600,
      }),
    ],
  ],
  [
    'Sign-up',
    [
      signup({}),
      signup({ layout: 'split', backgroundImageSrc: picture(900, 900, 150), swapped: true }),
      signup({ layout: 'full', backgroundColor: 'accent', alignment: 'center' }),
    ],
  ],
  ['Code', [{ type: 'codeblock', language: 'sh', code: `ls ${'harbour/'.repeat(20)}` }]],
  [
    'Code with a caption',
    [
      {
        type: 'codeblock',
        language: 'js',
        caption: 'A line that is longer than most columns',
        code: "const tides = await fetch('https://example.com/content/posts/?filter=tag:tides&limit=5&include=authors,tags');",
      },
    ],
  ],
  ['HTML', [{ type: 'html', html: '<p>Markup of the author, as it is.</p>' }]],
  ['Markdown', [{ type: 'markdown', markdown: 'Some *markdown*, as a paragraph.' }]],
  ['Table', [{ type: 'markdown', markdown: TABLE }]],
  ['Divider', [{ type: 'horizontalrule' }]],
  [
    'Large quotation',
    [
      {
        type: 'aside',
        children: [{ type: 'text', text: 'The sea does not reward those who are too anxious.' }],
      },
    ],
  ],
];

/** Titles with the html of their cards. */
export const renderCards = async () => {
  const renderer = new Renderer({
    nodes,
    onError: (error) => {
      throw error;
    },
  });
  const cards = [];
  for (const [title, some] of CARDS) {
    const children = some.map((node) => ({ version: 1, ...node }));
    const root = { type: 'root', version: 1, children };
    const html = await renderer.render(JSON.stringify({ root }));
    cards.push([title, html.replaceAll(TRANSISTOR, 'about:blank')]);
  }
  return cards;
};
