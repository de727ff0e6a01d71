// What the publication says of its pages for readers: whether they are made, where no setting says so, and whether they have
// llms.txt.

import { listGatedIds } from '../../publication/store/content/posts.ts';
import { findSetting, SITE_SETTING } from '../../publication/store/content/settings.ts';
import { openStore } from '../../publication/store/open-store.ts';
import type { Queryable } from '../../publication/store/store.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';

/** `publication`: where it is open already. */
export const hasSite = async (config: Config, publication?: Queryable): Promise<boolean> => {
  if (config.site !== undefined) return config.site;
  if (publication !== undefined) return (await findSetting(publication, SITE_SETTING)) !== null;
  return withStore(config, (store) => hasSite(config, store));
};

/** Whether there are llms.txt and llms-full.txt: the setting of Ghost, which has them unless it says otherwise. */
export const hasLlms = (config: Config): Promise<boolean> =>
  withStore(
    config,
    async (store) => !['false', '0'].includes((await findSetting(store, 'llms_enabled')) ?? ''),
  );

export const findGatedIds = (config: Config): Promise<ReadonlySet<string>> =>
  withStore(config, listGatedIds);

const withStore = async <T>(config: Config, read: (store: Queryable) => Promise<T>): Promise<T> => {
  const { database, postgres } = dataPathsOf(config);
  const store = await openStore(database, { postgres });
  try {
    return await read(store);
  } finally {
    await store.close();
  }
};
