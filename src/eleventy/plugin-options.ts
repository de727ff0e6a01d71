// What a project may tell the plugin.
import type { SettingName } from '../config/settings.ts';

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
