// What a project may tell the plugin.
import { PrepressError } from '../../base/errors.ts';
import { findNearestName } from '../../base/text/nearest-name.ts';
import { SETTING_NAMES } from '../../settings/settings.ts';
import type { PrepressOptions } from './plugin-types.ts';

export type { PrepressOptions };

const OPTION_NAMES = [
  'settings',
  'configFile',
  'placesPages',
  'from',
  'contentKey',
] as const satisfies readonly (keyof PrepressOptions)[];

/** Throws CONFIG_INVALID for an option that the plugin does not have, such as a setting beside `settings`, and for a `from` that is no text. */
export const throwIfUnknown = (options: PrepressOptions): void => {
  for (const name of Object.keys(options)) {
    if ((OPTION_NAMES as readonly string[]).includes(name)) continue;
    throw new PrepressError(
      'CONFIG_INVALID',
      `The plugin has no option "${name}". ${hintAt(name)}`,
    );
  }
  const from: unknown = options.from;
  if (from === undefined || typeof from === 'string') return;
  throw new PrepressError(
    'CONFIG_INVALID',
    `The option "from" of the plugin must be an address such as https://example.com, got ${JSON.stringify(from)}.`,
  );
};

const hintAt = (name: string): string => {
  const isSetting = (SETTING_NAMES as readonly string[]).includes(name);
  if (isSetting) return `It is a setting: write { settings: { ${JSON.stringify(name)}: ... } }.`;
  const near = findNearestName(name, OPTION_NAMES);
  return near === null ? `Its options are ${OPTION_NAMES.join(', ')}.` : `Did you mean ${near}?`;
};
