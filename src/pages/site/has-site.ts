// Whether pages for readers are made: by the setting, else by what the publication was made as.

import { findSetting, SITE_SETTING } from '../../publication/store/content/settings.ts';
import { openStore } from '../../publication/store/open-store.ts';
import type { Reader } from '../../publication/store/store.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';

/** `reader`: of the publication, where it is open already. */
export const hasSite = async (config: Config, reader?: Reader): Promise<boolean> => {
  if (config.site !== undefined) return config.site;
  if (reader !== undefined) return (await findSetting(reader, SITE_SETTING)) !== null;
  const store = await openStore(dataPathsOf(config).database);
  try {
    return await hasSite(config, store.reader);
  } finally {
    await store.close();
  }
};
