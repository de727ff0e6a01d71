// The settings object in the form of interface.md, and how stored values are read for it.
import { parseJson } from '../../base/text/json-value.ts';
import { eachBy } from '../../base/text/words.ts';
import { createSiteUrlResolver } from './site-url.ts';

export type SettingValues = Pick<ReadonlyMap<string, string | null>, 'get'>;

type NavigationItem = { readonly label: string; readonly url: string };

const IMAGE_PATH = '/content/images/';
const ICON_SIZE = 'size/w256h256/';

export type SettingReaders = {
  readonly siteUrl: string;
  readonly text: (key: string) => string | null;
  /** An absolute address. */
  readonly image: (key: string) => string | null;
};

export const readersOf = (values: SettingValues, siteUrl: string): SettingReaders => {
  const site = createSiteUrlResolver(siteUrl);
  const text = (key: string): string | null => site.nullableText(values.get(key));
  return { siteUrl, text, image: (key) => toAbsolute(text(key), siteUrl) };
};

export type InterfaceSettings = ReturnType<typeof toInterfaceSettings>;

export const toInterfaceSettings = ({ siteUrl, text, image }: SettingReaders) => ({
  title: text('title') ?? '',
  description: text('description') ?? '',
  logo: image('logo'),
  icon: toSizedIcon(image('icon')),
  cover_image: image('cover_image'),
  ...eachBy('accent_color facebook twitter', text),
  lang: text('locale') ?? text('lang') ?? 'en',
  timezone: text('timezone') ?? 'Etc/UTC',
  ...eachBy('codeinjection_head codeinjection_foot', text),
  navigation: parseNavigation(text('navigation')),
  secondary_navigation: parseNavigation(text('secondary_navigation')),
  ...eachBy('meta_title meta_description', text),
  og_image: image('og_image'),
  ...eachBy('og_title og_description', text),
  twitter_image: image('twitter_image'),
  ...eachBy('twitter_title twitter_description', text),
  members_support_address: resolveSupportAddress(text('members_support_address'), siteUrl),
  url: `${siteUrl}/`,
});

const toAbsolute = (url: string | null, siteUrl: string): string | null => {
  if (url === null || !url.startsWith('/') || url.startsWith('//')) return url;
  const { origin, pathname } = new URL(`${siteUrl}/`);
  return url.startsWith(pathname) ? origin + url : siteUrl + url;
};

const toSizedIcon = (url: string | null): string | null =>
  url === null || url.includes(`${IMAGE_PATH}size/`)
    ? url
    : url.replace(IMAGE_PATH, IMAGE_PATH + ICON_SIZE);

const parseNavigation = (stored: string | null): NavigationItem[] => {
  const items = parseJson(stored ?? 'null');
  return Array.isArray(items) ? items.flatMap(toNavigationItem) : [];
};

const toNavigationItem = (item: unknown): NavigationItem[] => {
  if (typeof item !== 'object' || item === null) return [];
  const { label, url } = item as { label?: unknown; url?: unknown };
  if (typeof label !== 'string' || typeof url !== 'string') return [];
  return [{ label, url }];
};

// The interface promises an e-mail address where the setting may hold only the part before the "@".
export const resolveSupportAddress = (stored: string | null, siteUrl: string): string => {
  if (stored?.includes('@')) return stored;
  return addressAtSite(stored ?? 'noreply', siteUrl);
};

/** `www.` is left out, as in Ghost. */
export const addressAtSite = (name: string, siteUrl: string): string =>
  `${name}@${new URL(siteUrl).hostname.replace(/^www\./, '')}`;
