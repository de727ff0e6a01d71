// Where the content is: CONTENT_URL is a host of the output or the companion server, and CONTENT_KEY the key that the
// companion server asks for. And what all pages show.
import { openContent } from 'prepress-content/client';

export const source = {
  url: process.env.CONTENT_URL ?? 'http://127.0.0.1:4000',
  contentKey: process.env.CONTENT_KEY,
};

export const settings = await openContent(source.url, source)
  .settings()
  .catch((cause) => {
    const advice =
      'CONTENT_URL names its server or host, and CONTENT_KEY is the key that "npx prepress status --secrets" prints.';
    const unset = source.contentKey ? '' : ' CONTENT_KEY is not set.';
    const reason = cause.message.replace(/[.]$/, '');
    throw new Error(`The settings cannot be read (${reason}).${unset} ${advice}`, { cause });
  });

const days = new Intl.DateTimeFormat(settings.lang, {
  dateStyle: 'long',
  timeZone: settings.timezone,
});

export const formatDay = (time) => days.format(new Date(time));

export const newestFirst = (posts) =>
  posts
    .map(({ data }) => data)
    .sort((a, b) => Date.parse(b.published_at) - Date.parse(a.published_at));

/** Some of the setting `images.sizes`. */
const WIDTHS = [600, 1000, 1600];

/** Undefined for a picture of another site, which has no sizes. */
export const srcsetOf = (image) => {
  const [before, name] = image.split('/content/images/');
  if (name === undefined) return undefined;
  return WIDTHS.map((width) => `${before}/content/images/size/w${width}/${name} ${width}w`).join();
};
