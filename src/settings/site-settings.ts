// The part of the table of settings that is about pages for readers, and the addresses of posts.
import { flag, permalinks, webUrl } from './schemas.ts';
import { type Setting, setting } from './setting.ts';

export const SITE_SETTINGS = {
  site: setting(
    flag.optional(),
    'true for the sample that `npm start` makes, else false',
    'Whether builds also render pages for readers (home, posts, tags, authors, feeds, search) from the templates in content/.',
  ),
  markdown: setting(
    flag.default(false),
    'false',
    'Whether to add Markdown beside the pages for readers (/{slug}.md, /{slug}/index.md), with llms.txt, llms-full.txt and a JSON Feed.',
  ),
  signupUrl: setting(
    webUrl.optional(),
    'none: pages offer no sign-up',
    'Where readers sign up, such as https://ghost.example/#/portal/signup. Gated posts, sign-up cards and links to the sign-up of Ghost lead there.',
  ),
  permalinks: setting(
    permalinks.default('/{slug}/'),
    '/{slug}/',
    'Address pattern of posts: {slug}, {id}, {year}, {month}, {day}, {primary_tag}, {primary_author}.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
