// The settings that a client may write, and what each may hold: a value that the content interface could
// not show, or that would fail every build, is refused.
import * as z from 'zod';
import { isEmail } from '../../../base/text/email.ts';
import { parseJson } from '../../../base/text/json-value.ts';
import { each } from '../../../base/text/words.ts';
import { isTimeZone } from '../../../base/time.ts';
import { flag, nullableText, text } from '../fields.ts';
import { VISIBILITIES } from './post-bulk-input.ts';

const got = (rule: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `${rule}, got ${JSON.stringify(input)}`,
});

const LOCALE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const MAILBOX = /^[A-Za-z0-9._+-]+$/;
const LINKS_MAX = 1000;

/** Browsers run these, or refuse to follow them. White space and case do not hide one. */
const DEAD = ['javascript:', 'vbscript:', 'data:'];

const link = z.object({ label: text(191), url: text(2000) }).superRefine(({ url }, context) => {
  if (!URL.canParse(url) || !DEAD.includes(new URL(url).protocol)) return;
  const named = JSON.stringify(url.slice(0, 100));
  const message = `links to ${named}, where no reader can go: write an address such as /about/ or https://example.com/`;
  context.addIssue({ code: 'custom', message });
});

/** Also as JSON in a text, which is how clients read it. */
const navigation = z.preprocess(
  (value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value),
  z.array(link).max(LINKS_MAX),
);

/** Any text, as in Ghost: pages use it where it is a color in hexadecimal digits. */
const color = nullableText(50);
const image = nullableText(2000);
const line = nullableText(2000);

export const SETTING_SCHEMAS = {
  ...each(text(2000), 'title description'),
  ...each(image, 'logo icon cover_image'),
  accent_color: color,
  ...each(line, 'facebook twitter'),
  locale: text(50).refine(
    (value) => LOCALE.test(value),
    got('must be a language code such as en or pt-BR'),
  ),
  timezone: text(100).refine(isTimeZone, got('must be a zone name such as Europe/Berlin')),
  ...each(nullableText(65_535), 'codeinjection_head codeinjection_foot'),
  navigation,
  secondary_navigation: navigation,
  meta_title: nullableText(300),
  meta_description: nullableText(500),
  og_image: image,
  og_title: nullableText(300),
  og_description: nullableText(500),
  twitter_image: image,
  twitter_title: nullableText(300),
  twitter_description: nullableText(500),
  members_support_address: text(191).refine(
    (value) => MAILBOX.test(value) || isEmail(value),
    'must be an e-mail address, or the part before its @',
  ),
  outbound_link_tagging: flag,
  default_content_visibility: z.enum(VISIBILITIES),
} as const;

export type SettingKey = keyof typeof SETTING_SCHEMAS;
export const SETTING_KEYS = Object.keys(SETTING_SCHEMAS) as SettingKey[];

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTING_SCHEMAS, key);

/** The elements of `settings`, each checked by its own schema afterwards. */
export const settingElement = z.object({ key: z.string(), value: z.unknown().optional() });
export type SettingElement = z.output<typeof settingElement>;
