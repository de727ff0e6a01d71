// compose.scaling.yaml without containers: its servers with their settings, a real PostgreSQL, a real bucket, and nginx as packaged.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, serve, signToken } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { pngOf } from '../helpers/upload-files.ts';
import { NGINX_INSTALL } from './nginx-process.ts';
import { startPackagedNginx } from './packaged-nginx.ts';
import { describePostgres } from './postgres-process.ts';
import { missing } from './program.ts';
import { STORE_ENVIRONMENT, startStore } from './s3-store.ts';

const COMPOSE = readFileSync(join(import.meta.dirname, '../../compose.scaling.yaml'), 'utf8');

/** The environment that follows a line. */
const environmentAfter = (line: string): Readonly<Record<string, string>> => {
  const lines = COMPOSE.slice(COMPOSE.indexOf(`\n${line}`)).split(/ environment:\n/)[1] ?? '';
  const [own = ''] = /^(?: {4,}[A-Z]\w+: .*\n)+/.exec(lines) ?? [];
  return Object.fromEntries(
    [...own.matchAll(/(\w+): (?:'(.*)'|"(.*)"|(.*))\n/g)].map(([, name = '', ...values]) => [
      name,
      values.find((value) => value !== undefined) ?? '',
    ]),
  );
};

const noNginx = missing('nginx', NGINX_INSTALL) !== null;

describePostgres((server) => {
  test.skipIf(noNginx)(
    'two servers behind nginx show what either saves, with its picture',
    async () => {
      const given = environmentAfter('x-server:');
      const [db, bucket] = [environmentAfter('  db:'), environmentAfter('  bucket:')];
      expect(given.PREPRESS_DATABASE).toContain(`prepress:${db.POSTGRES_PASSWORD}@db`);
      expect(given.AWS_SECRET_ACCESS_KEY).toBe(bucket.MINIO_ROOT_PASSWORD);
      const store = await startStore(join(temporaryFolder(), 'store'), 'pictures');
      onTestFinished(store.end);
      const environment = {
        ...given,
        ...STORE_ENVIRONMENT,
        PREPRESS_DATABASE: await server.create(),
        PREPRESS_MEDIA: String(given.PREPRESS_MEDIA).replace('http://bucket:9000', store.endpoint),
      };
      const first = temporaryFolder();
      await prepress(first, ['init']);
      await prepress(first, ['database', 'move', 'data/publication.db'], { environment });
      const start = async (): Promise<Serving> => {
        const folder = temporaryFolder();
        mkdirSync(join(folder, 'data'));
        cpSync(join(first, 'data/secret.key'), join(folder, 'data/secret.key'));
        return serve(folder, { environment });
      };
      const servers = [await start(), await start()] as const;
      const nginx = await startPackagedNginx({
        folder: join(temporaryFolder(), 'nginx'),
        output: join(servers[0].folder, 'output'),
        companion: servers.map(({ url }) => Number(new URL(url).port)),
      });
      onTestFinished(nginx.end);
      const authorization = `Ghost ${await signToken(servers[0].folder)}`;
      const ask = async (
        path: string,
        init: RequestInit,
      ): Promise<Record<string, [{ url: string; slug: string }]>> => {
        const answer = await fetch(`http://127.0.0.1:${nginx.deskPort}${path}`, init);
        expect(answer.status).toBe(201);
        return (await answer.json()) as Record<string, [{ url: string; slug: string }]>;
      };
      const body = new FormData();
      body.set('file', new Blob([pngOf(2, 2)]), 'a.png');
      const { images } = await ask('/admin/images/upload/', {
        method: 'POST',
        headers: { authorization },
        body,
      });
      const picture = images?.[0].url ?? '';
      const { posts } = await ask('/admin/posts/', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          posts: [{ title: 'Shared', status: 'published', feature_image: picture }],
        }),
      });
      const document = `/content/posts/slug/${posts?.[0].slug}/?key=${servers[0].contentKey}`;
      for (const at of [`http://127.0.0.1:${nginx.port}`, ...servers.map(({ url }) => url)]) {
        await eventually(async () => expect((await fetch(`${at}${document}`)).status).toBe(200));
      }
      const path = new URL(picture).pathname;
      for (const { url } of servers) expect((await fetch(`${url}${path}`)).status).toBe(200);
    },
  );
});
