// Sites whose pictures a crawl asks for, as Ghost exports them, with originals alone: a captured one, and one that has a picture
// of every type in every role.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { putPicture } from '../helpers/pictures.ts';

export const SITE = 'https://news.example';

export type PictureSite = {
  readonly name: string;
  /** Puts the export and its originals into a folder; returns the path of the export. */
  readonly put: (folder: string) => Promise<string>;
  /** Pictures that have the widths of the settings: those of bodies and features. */
  readonly shown: readonly string[];
  readonly formats: readonly string[];
};

/** Paths of pictures below content/ that a text names, each as it is written. */
export const namesIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:https:\/\/news\.example|(?<=["' (,=]))\/content\/(images\/(?:[^"'\\ )<&?,]|'(?=\w))+)/g,
    ),
  ].map(([, path = '']) => path);

const EXPORT = join(import.meta.dirname, '../fixtures/ghost-small/ghost-export.json');

export const CAPTURED: PictureSite = {
  name: 'a captured Ghost',
  shown: [],
  formats: [],
  put: async (folder) => {
    const named = namesIn(readFileSync(EXPORT, 'utf8').replaceAll('__GHOST_URL__', SITE));
    for (const path of new Set([...named, 'images/icon.png'])) {
      const [width, height] = path.endsWith('icon.png') ? [512, 512] : [1_200, 200];
      await putPicture(join(folder, path), width, height);
    }
    return EXPORT;
  },
};

const SIDES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  'wide.jpg': [1_700, 400],
  'high.png': [500, 900],
  'small.webp': [80, 60],
  'still.gif': [700, 100],
  'modern.avif': [650, 300],
  'UPPER.JPG': [900, 300],
  'with space ü.jpg': [640, 200],
  "apostrophe's.jpg": [670, 220],
  // As a Mac stores it; texts name it composed.
  ['mac é.jpg'.normalize('NFD')]: [660, 210],
  'tag.jpg': [1_100, 300],
  'face.png': [620, 620],
  'cover.jpeg': [1_100, 200],
  'site-cover.jpg': [1_050, 200],
  'icon.png': [512, 512],
  'og.jpg': [800, 300],
  'twitter.jpg': [800, 310],
};

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

const putOthers = async (folder: string): Promise<void> => {
  const frames = [1, 2].map((seed) =>
    sharp(join(folder, 'wide.jpg'))
      .extract({ left: seed * 90, top: 0, width: 640, height: 90 })
      .png()
      .toBuffer(),
  );
  const animated = sharp(await Promise.all(frames), { join: { animated: true } });
  await animated.gif().toFile(join(folder, 'moving.gif'));
  await animated.webp().toFile(join(folder, 'moving.webp'));
  const gps = { IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } };
  await sharp(join(folder, 'wide.jpg'))
    .resize(800, 600, { fit: 'fill' })
    .withMetadata({ orientation: 6 })
    .withExifMerge(gps)
    .toFile(join(folder, 'turned.jpg'));
  writeFileSync(join(folder, 'logo.svg'), DRAWING);
};

const at = (name: string): string => `__GHOST_URL__/content/images/${encodeURI(name)}`;

const figure = (name: string): string => `<figure><img src="${at(name)}" alt=""></figure>`;

const SRCSET = [600, 750, 1_600].map((width) => `${at(`size/w${width}/wide.jpg`)} ${width}w`);

const BODY = [
  `<img src="${at('wide.jpg')}" srcset="${SRCSET.join(', ')}, ${at('wide.jpg')} 1700w">`,
  '<figure class="kg-card kg-gallery-card">',
  ...['high.png', 'small.webp', 'still.gif'].map(figure),
  '</figure>',
  ...['modern.avif', 'moving.gif', 'moving.webp', 'turned.jpg'].map(figure),
  ...['UPPER.JPG', 'with space ü.jpg', "apostrophe's.jpg", 'mac é.jpg'].map(figure),
].join('');

const IDS = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(24));
const [POST = '', TAG = '', USER = '', LINK = '', META = ''] = IDS;
const TIMES = { created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' };

const SETTINGS = {
  title: 'Pictures',
  icon: at('icon.png'),
  logo: at('logo.svg'),
  cover_image: at('site-cover.jpg'),
  og_image: at('og.jpg'),
  twitter_image: at('twitter.jpg'),
};

const EXPORTED = {
  posts: [
    {
      ...{ id: POST, uuid: '00000000-0000-4000-8000-000000000000', type: 'post' },
      ...{ title: 'Pictures', slug: 'pictures', html: BODY, feature_image: at('wide.jpg') },
      ...{ status: 'published', published_at: '2026-01-01 00:00:00', visibility: 'public' },
      ...TIMES,
    },
  ],
  posts_meta: [
    { id: META, post_id: POST, og_image: at('og.jpg'), twitter_image: at('twitter.jpg') },
  ],
  tags: [{ id: TAG, name: 'Tag', slug: 'tag', feature_image: at('tag.jpg'), ...TIMES }],
  users: [
    {
      ...{ id: USER, name: 'Author', slug: 'author', email: 'a@site.test', ...TIMES },
      ...{ profile_image: at('face.png'), cover_image: at('cover.jpeg') },
    },
  ],
  posts_tags: [{ id: LINK, post_id: POST, tag_id: TAG, sort_order: 0 }],
  posts_authors: [{ id: LINK, post_id: POST, author_id: USER, sort_order: 0 }],
  settings: Object.entries(SETTINGS).map(([key, value], number) => ({
    ...{ id: String(number).padStart(24, '0'), key, value, type: 'string', group: 'site' },
    ...TIMES,
  })),
};

const NOT_SHOWN = ['icon.png', 'og.jpg', 'twitter.jpg'];

export const GENERATED: PictureSite = {
  name: 'pictures of every type and role',
  shown: [...Object.keys(SIDES), 'moving.gif', 'moving.webp', 'turned.jpg']
    .filter((name) => !NOT_SHOWN.includes(name))
    .map((name) => `images/${encodeURI(name.normalize())}`),
  formats: ['webp'],
  put: async (folder) => {
    const images = join(folder, 'images');
    mkdirSync(images, { recursive: true });
    for (const [name, [width, height]] of Object.entries(SIDES))
      await putPicture(join(images, name), width, height);
    await putOthers(images);
    const file = join(dirname(folder), 'export.json');
    const text = { db: [{ meta: { version: '6.65.0' }, data: EXPORTED }] };
    writeFileSync(file, JSON.stringify(text));
    return file;
  },
};
