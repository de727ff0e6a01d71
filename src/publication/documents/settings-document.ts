// The settings object of the content interface, made of the settings table's values. Only the keys of
// interface.md's table are shown, in its order, or those of Ghost's; every other setting stays in the database.
import { toGhostSettings } from './ghost-shape-settings.ts';
import { readersOf, type SettingValues, toInterfaceSettings } from './interface-settings.ts';

type SettingsShape = {
  /** Without a trailing slash. */
  readonly siteUrl: string;
  /** In Ghost's shape; absent: in that of interface.md. */
  readonly ghost?: object | undefined;
};

export const renderSettings = (
  values: SettingValues,
  { siteUrl, ghost }: SettingsShape,
): Buffer => {
  const tools = readersOf(values, siteUrl);
  const own = toInterfaceSettings(tools);
  return Buffer.from(
    JSON.stringify(
      ghost === undefined ? { settings: own } : { settings: toGhostSettings(own, tools), meta: {} },
    ),
  );
};

/** The settings that the document is made of, and those that other documents depend on. */
export const settingKeys = (ghost: object | undefined): ReadonlySet<string> => {
  const keys = new Set(['timezone', 'outbound_link_tagging', 'comments_enabled', 'url']);
  const values = {
    get: (key: string) => {
      keys.add(key);
      return null;
    },
  };
  renderSettings(values, { siteUrl: 'http://localhost', ghost });
  return keys;
};
