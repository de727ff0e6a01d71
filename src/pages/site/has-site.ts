// Whether pages for readers are made: by the setting, else by what the publication was made as.

import { findSetting, SITE_SETTING } from '../../publication/store/content/settings.ts';
import { openStore } from '../../publication/store/open-store.ts';
import type { Queryable } from '../../publication/store/store.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';

/** `publication`: where it is open already. */
export const hasSite = async (config: Config, publication?: Queryable): Promise<boolean> => {
  if (config.site !== undefined) return config.site;
  if (publication !== undefined) return (await findSetting(publication, SITE_SETTING)) !== null;
  const { database, postgres } = dataPathsOf(config);
  const store = await openStore(database, { postgres });
  try {
    return await hasSite(config, store);
  } finally {
    await store.close();
  }
};
