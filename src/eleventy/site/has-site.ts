// Whether pages for readers are made: by the setting, else by what the publication was made as.
import type { Config } from '../../config/settings.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import { findSetting, SITE_SETTING } from '../../store/settings.ts';
import { openStore } from '../../store/store.ts';

export const hasSite = async (config: Config): Promise<boolean> => {
  if (config.site !== undefined) return config.site;
  const store = await openStore(dataPathsOf(config).database);
  try {
    return (await findSetting(store.reader, SITE_SETTING)) !== null;
  } finally {
    await store.close();
  }
};
