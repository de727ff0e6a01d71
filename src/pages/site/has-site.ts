// Whether pages for readers are made: by the setting, else by what the publication was made as.

import { findSetting, SITE_SETTING } from '../../publication/store/content/settings.ts';
import { openStore } from '../../publication/store/open-store.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';

export const hasSite = async (config: Config): Promise<boolean> => {
  if (config.site !== undefined) return config.site;
  const store = await openStore(dataPathsOf(config).database);
  try {
    return (await findSetting(store.reader, SITE_SETTING)) !== null;
  } finally {
    await store.close();
  }
};
