// Pictures in a bucket of a real store (setting media): put there before their rows, and on each server before a document
// names them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, serve, signToken } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { pngOf } from '../helpers/upload-files.ts';
import { describePostgres } from './postgres-process.ts';
import { postgresSites } from './postgres-sites.ts';
import { BUCKET, type Gate, STORE_ENVIRONMENT, startGate, startStore } from './s3-store.ts';

const openBucket = async (): Promise<{ way: Gate; environment: Record<string, string> }> => {
  const store = await startStore(join(temporaryFolder(), 'store'));
  onTestFinished(store.end);
  const way = await startGate(store.endpoint);
  const media = { target: `s3://${BUCKET}/pictures`, endpoint: way.endpoint };
  return { way, environment: { ...STORE_ENVIRONMENT, PREPRESS_MEDIA: JSON.stringify(media) } };
};

const upload = async (at: Serving, side = 1): Promise<Response> => {
  const body = new FormData();
  body.set('file', new Blob([pngOf(side, side)]), 'a.png');
  const headers = { authorization: `Ghost ${await signToken(at.folder)}` };
  return at.get('/admin/images/upload/', { method: 'POST', headers, body });
};

const pathOf = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(201);
  const { images } = (await answer.json()) as { images: [{ url: string }] };
  return new URL(images[0].url).pathname;
};

test('a media folder is put into the bucket, and comes from there when it is lost', async () => {
  const { environment } = await openBucket();
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  const before = readTree(join(folder, 'media'));
  expect(before.size).toBeGreaterThan(0);
  await prepress(folder, ['build'], { environment });
  rmSync(join(folder, 'media'), { recursive: true });
  rmSync(join(folder, 'output/content/images'), { recursive: true });
  await prepress(folder, ['build'], { environment });
  expect(readTree(join(folder, 'media'))).toEqual(before);
});

test('without the bucket an upload answers 503, and all else goes on', async () => {
  const { way, environment } = await openBucket();
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  way.isOpen = false;
  const at = await serve(folder, { environment });
  const answer = await upload(at);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  await at.admin('POST', '/posts/', { posts: [{ title: 'Meanwhile', status: 'published' }] });
  const shown = `/content/posts/slug/meanwhile/?key=${at.contentKey}`;
  await eventually(async () => expect((await at.get(shown)).status).toBe(200));
  expect(at.log()).toContain(
    `takes no pictures and files: The bucket ${BUCKET} at ${way.endpoint} cannot`,
  );
  way.isOpen = true;
  expect(await pathOf(await upload(at))).toMatch(/\/a\.png$/);
});

test('a bucket without a region is named before there is a picture', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--empty']);
  const environment = { AWS_REGION: '', PREPRESS_MEDIA: 's3://pictures' };
  const said = await prepress(folder, ['build'], { environment });
  const named = 's3://pictures takes no pictures and files: The bucket pictures cannot be used';
  expect(said).toContain(`${named}: Region not accepted`);
  expect(said).toContain('Name the region of the bucket with "region" or AWS_REGION.');
});

describePostgres((server, suiteFolder) => {
  const { moved, start, save } = postgresSites(server, suiteFolder);

  test('a server fetches what its rows name before it renders', async () => {
    const { way, environment } = await openBucket();
    const address = await moved();
    const one = await start(address, environment);
    const other = await start(address, environment);
    const paths = await Promise.all(
      [upload(one, 2), upload(other, 3)].map(async (a) => pathOf(await a)),
    );
    expect(new Set(paths).size).toBe(2);
    const [picture = ''] = paths;
    const named = { status: 'published', feature_image: `https://example.com${picture}` };
    const { slug } = await save(one, { title: 'With a picture', ...named });
    const document = `/content/posts/slug/${slug}/?key=${one.contentKey}`;
    const shows = async (at: Serving): Promise<void> => {
      expect((await at.get(document)).status).toBe(200);
      for (const path of paths) expect((await at.get(path)).status, path).toBe(200);
    };
    await eventually(() => shows(other));
    way.isOpen = false;
    const reader = await start(address, { ...environment, PREPRESS_LEAD: 'never' });
    await eventually(() => expect(reader.log()).toContain('MEDIA_UNREACHABLE'));
    expect((await reader.get(document)).status).not.toBe(200);
    way.isOpen = true;
    await eventually(() => shows(reader));
  });
});
