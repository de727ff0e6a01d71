// The companion server over a built tree, in this process.
import { dirname, join } from 'node:path';
import { uploadsOf } from '../../src/publication/media/uploads.ts';
import { openSecretBox } from '../../src/publication/store/access/secrets.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { createServer } from '../../src/serve/server/create-server.ts';
import { dataPathsOf } from '../../src/settings/data-paths.ts';
import { loadConfig } from '../../src/settings/load.ts';
import type { MatrixSite } from './site.ts';

export type RunningCompanion = {
  readonly port: number;
  readonly end: () => Promise<void>;
};

export const startCompanion = async (
  site: MatrixSite,
  contentKey: 'optional' | 'required' = 'optional',
): Promise<RunningCompanion> => {
  const folder = dirname(site.output);
  const store = await openStore(join(folder, 'publication.db'));
  const { output, basePath } = site;
  const database = join(folder, 'publication.db');
  const config = loadConfig({
    environment: {},
    flags: { database, output, basePath, contentKey, ...site.settings },
  });
  const app = createServer({
    config,
    uploads: uploadsOf(dataPathsOf(config)),
    context: {
      store,
      clock: { now: Date.now },
      secretBox: openSecretBox(join(folder, 'secret.key')),
      site: () => ({ siteUrl: 'https://site.test' }),
      vetTarget: async () => null,
      webhookEvents: [],
      reservedSlugs: [],
    },
    publisher: {
      wake: () => undefined,
      requestBuild: async () => ({ id: '' }),
      state: () => ({}),
      firstBuild: () => null,
    },
    storedSegment: (resource, slug) =>
      site.names.find((name) => name.resource === resource && name.slug === slug)?.segment,
    adminOrigin: () => '',
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    port: Number(new URL(url).port),
    end: async () => {
      await app.close();
      await store.close();
    },
  };
};
