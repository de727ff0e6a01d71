// Servers of the sample publication in PostgreSQL, each on a machine of its own: a folder with the key that opens the secrets.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import type { Postgres } from './start-postgres.ts';

export type Post = { readonly id: string; readonly slug: string; readonly updated_at: string };
type Posts = { readonly posts: readonly [Post] };

type Environment = Readonly<Record<string, string>>;

export const postgresSites = (server: Postgres, suiteFolder: string) => {
  const sample = join(suiteFolder, 'sample');
  beforeAll(async () => {
    mkdirSync(sample);
    await prepress(sample, ['init']);
  });
  const environmentOf = (address: string): Environment => ({
    PREPRESS_DATABASE: address,
    PREPRESS_MEDIA: join(sample, 'media'),
    PREPRESS_SITE_URL: 'https://example.com',
    PREPRESS_LOG_LEVEL: 'info',
  });
  /** The folder of a machine that has served nothing yet. */
  const machine = (): string => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    cpSync(join(sample, 'data/secret.key'), join(folder, 'data/secret.key'));
    return folder;
  };
  return {
    sample,
    environmentOf,
    machine,
    moved: async (): Promise<string> => {
      const address = await server.create();
      const environment = environmentOf(address);
      await prepress(sample, ['database', 'move', 'data/publication.db'], { environment });
      return address;
    },
    start: (address: string, more: Environment = {}): Promise<Serving> =>
      serve(machine(), { environment: { ...environmentOf(address), ...more } }),
    save: async (at: Serving, post: object): Promise<Post> =>
      ((await at.admin('POST', '/posts/', { posts: [post] })) as Posts).posts[0],
  };
};
