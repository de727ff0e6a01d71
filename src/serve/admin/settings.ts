// The publication's settings: read as a list of keys and values, written all or none. Also what the site
// and this program say of themselves.
import { invalid } from '../../base/errors.ts';
import { findNearestName } from '../../base/text/nearest-name.ts';
import { eachBy } from '../../base/text/words.ts';
import { GHOST_VERSION } from '../../content/contract/ghost-version.ts';
import type { JsonObject } from '../../publication/documents/admin/document-context.ts';
import { toStoredValue } from '../../publication/documents/stored-columns.ts';
import { listSettings, saveSetting } from '../../publication/store/content/settings.ts';
import { parseInput } from '../contract/input/parse-input.ts';
import {
  isSettingKey,
  SETTING_KEYS,
  SETTING_SCHEMAS,
  type SettingElement,
  type SettingKey,
} from '../contract/input/settings-input.ts';
import type { Site } from '../editor/site.ts';
import { adminShape } from './posts/read-post.ts';
import { saveContent } from './save-content.ts';
import type { ReadContext } from './use-case-context.ts';

const BOOLEANS: readonly SettingKey[] = ['outbound_link_tagging'];
/** What an empty setting that cannot be null is shown as, so that the list can be written back. */
const EMPTY: Readonly<Partial<Record<SettingKey, string>>> = {
  title: '',
  description: '',
  locale: 'en',
  timezone: 'Etc/UTC',
  navigation: '[]',
  secondary_navigation: '[]',
  members_support_address: 'noreply',
  default_content_visibility: 'public',
};
const LISTS: readonly SettingKey[] = ['navigation', 'secondary_navigation'];

export const readSettings = async (context: ReadContext): Promise<JsonObject[]> => {
  const stored = await listSettings(context.store);
  const { site } = await adminShape(context);
  return SETTING_KEYS.map((key) => {
    const value = site.nullableText(stored.get(key)) ?? EMPTY[key] ?? null;
    if (!BOOLEANS.includes(key)) return { key, value };
    return { key, value: value !== 'false' && value !== '0' };
  });
};

/** Writes all of them, or none. Throws VALIDATION naming the first setting that is wrong. */
export const editSettings = async (
  context: ReadContext,
  elements: readonly SettingElement[],
): Promise<void> => {
  const site = await context.site();
  const changes = elements.map((element) => toChange(element, site));
  const nowMs = context.clock.now();
  await saveContent(context, nowMs, async (tx) => {
    for (const change of changes) await saveSetting(tx, change, nowMs);
  });
};

type Change = { readonly key: string; readonly value: string | null; readonly type: string };

const toChange = ({ key, value }: SettingElement, site: Site): Change => {
  if (!isSettingKey(key)) {
    const named = JSON.stringify(key.slice(0, 100));
    const near = key === 'lang' ? 'locale' : findNearestName(key, SETTING_KEYS);
    const meant =
      near === null ? 'GET /admin/settings/ lists all settings.' : `Did you mean ${near}?`;
    throw invalid('key', `key ${named} is not a setting that can be written. ${meant}`);
  }
  const parsed = parseInput<unknown>(SETTING_SCHEMAS[key], value, key);
  if (parsed === null) return { key, value: null, type: 'string' };
  if (LISTS.includes(key)) return { key, value: JSON.stringify(parsed), type: 'array' };
  const text = String(parsed);
  if (BOOLEANS.includes(key)) return { key, value: text, type: 'boolean' };
  const stored = toStoredValue({ table: 'settings', column: key }, text, site);
  return { key, value: stored, type: 'string' };
};

export const readSite = async (context: ReadContext): Promise<JsonObject> => {
  const stored = await listSettings(context.store);
  const { site, siteUrl } = await adminShape(context);
  const text = (key: SettingKey): string | null => site.nullableText(stored.get(key));
  return {
    title: text('title') ?? '',
    description: text('description') ?? '',
    ...eachBy('logo icon cover_image accent_color', text),
    locale: text('locale') ?? 'en',
    url: `${siteUrl}/`,
    version: GHOST_VERSION,
  };
};

/** `hasMailServer`: whether the settings of this program name one. */
export const readConfig = (hasMailServer: boolean): JsonObject => ({
  version: `${GHOST_VERSION}.0`,
  environment: 'production',
  database: 'sqlite3',
  mail: hasMailServer ? 'SMTP' : 'file',
});
