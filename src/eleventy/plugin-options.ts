// What a project may tell the plugin.
import { PrepressError } from '../base/errors.ts';
import { findNearestName } from '../base/nearest-name.ts';
import { SETTING_NAMES, type SettingName } from '../config/settings.ts';

export type PrepressOptions = {
  /** Settings that win over environment and settings file. */
  readonly settings?: Readonly<Partial<Record<SettingName, unknown>>>;
  /** Path of the settings file (default: prepress.config.json, which may be absent). */
  readonly configFile?: string;
  /**
   * Eleventy's own output folder is only a staging place: what is rendered goes to the setting `output`,
   * and pages that are gone are removed there. Without it the pages stay where Eleventy writes them, and
   * the content interface is written beside them, unless `settings.output` names another folder.
   */
  readonly placesPages?: boolean;
};

const OPTION_NAMES = [
  'settings',
  'configFile',
  'placesPages',
] as const satisfies readonly (keyof PrepressOptions)[];

/** Throws CONFIG_INVALID for an option that the plugin does not have, such as a setting beside `settings`. */
export const throwIfUnknown = (options: PrepressOptions): void => {
  for (const name of Object.keys(options)) {
    if ((OPTION_NAMES as readonly string[]).includes(name)) continue;
    throw new PrepressError(
      'CONFIG_INVALID',
      `The plugin has no option "${name}". ${hintAt(name)}`,
    );
  }
};

const hintAt = (name: string): string => {
  const isSetting = (SETTING_NAMES as readonly string[]).includes(name);
  if (isSetting) return `It is a setting: write { settings: { ${JSON.stringify(name)}: ... } }.`;
  const near = findNearestName(name, OPTION_NAMES);
  return near === null ? `Its options are ${OPTION_NAMES.join(', ')}.` : `Did you mean ${near}?`;
};
