// The settings of the publication while they are edited. Both navigations are JSON texts, as the interface has them.
import type { Setting } from '../../records.ts';
import { changedNames } from '../../ui/fields/draft.ts';
import { META_NAMES } from '../../ui/fields/meta-names.ts';
import { textsOf, toColumn } from '../../ui/texts.ts';

/** These are empty, never null. */
const FILLED = [
  ...(['title', 'description', 'locale', 'timezone', 'members_support_address'] as const),
  'default_content_visibility',
] as const;
const LISTS = ['navigation', 'secondary_navigation'] as const;

const NAMES = [
  ...META_NAMES,
  ...FILLED,
  ...LISTS,
  ...(['icon', 'logo', 'cover_image', 'accent_color', 'facebook', 'twitter'] as const),
  ...(['codeinjection_head', 'codeinjection_foot'] as const),
];

export type SettingsDraft = { readonly [Name in (typeof NAMES)[number]]: string } & {
  readonly outbound_link_tagging: boolean;
};

export const draftOf = (settings: readonly Setting[]): SettingsDraft => {
  const values = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  return {
    ...textsOf(values, NAMES),
    outbound_link_tagging: values.outbound_link_tagging === true,
  };
};

type Change = { readonly key: string; readonly value: string | boolean | null };

/** What a save sends: what was changed, alone. */
export const changesOf = (before: SettingsDraft, draft: SettingsDraft): Change[] =>
  changedNames(before, draft).map((key) => {
    const value = draft[key];
    if (typeof value !== 'string' || isOf(FILLED, key)) return { key, value };
    return { key, value: isOf(LISTS, key) ? withoutEmptyLinks(value) : toColumn(key, value) };
  });

const isOf = (names: readonly string[], name: string): boolean => names.includes(name);

const withoutEmptyLinks = (navigation: string): string =>
  JSON.stringify(parseNavigation(navigation).filter(({ label, url }) => label + url !== ''));

export type NavigationLink = { readonly label: string; readonly url: string };

/** None for a text that is no list of links. */
export const parseNavigation = (text: string): readonly NavigationLink[] => {
  try {
    const links: unknown = JSON.parse(text);
    return Array.isArray(links) ? links.map(linkOf) : [];
  } catch {
    return [];
  }
};

const linkOf = (link: unknown): NavigationLink => {
  const { label, url } = Object(link) as Readonly<Record<string, unknown>>;
  return { label: String(label ?? ''), url: String(url ?? '') };
};
