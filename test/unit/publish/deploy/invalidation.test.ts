import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { withInvalidation } from '../../../../src/publish/deploy/cloudfront/invalidation.ts';
import type { DeployTarget, LocalFile } from '../../../../src/publish/deploy/target.ts';
import { type CloudFront, startCloudFront } from '../../../helpers/cloudfront.ts';
import { deploy } from '../../../helpers/deploy-all.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

let cloudfront: CloudFront;
let dataFolder: string;
let standing: Set<string>;

beforeEach(async () => {
  cloudfront = await startCloudFront();
  for (const [name, value] of Object.entries(cloudfront.environment)) vi.stubEnv(name, value);
  dataFolder = temporaryFolder();
  standing = new Set();
  return () => {
    vi.unstubAllEnvs();
    cloudfront.close();
  };
});

/** A place in memory; `breaks` says after how many files it does. */
const placeOf = (breaks = Number.POSITIVE_INFINITY): DeployTarget => ({
  list: async () => new Map([...standing].map((path) => [path, { size: 1, tag: '' }])),
  isSame: () => true,
  put: async (files) => {
    for (const { path } of files) {
      if (standing.size >= breaks) throw new Error('broken off');
      standing.add(path);
    }
  },
  remove: async (paths) => {
    for (const path of paths) standing.delete(path);
  },
});

const run = (paths: readonly string[], place = placeOf(), basePath = '') => {
  const files = paths.map((path): LocalFile => ({ path, size: 1, read: () => Buffer.from('1') }));
  const target = withInvalidation(place, { distribution: 'E1', basePath, folder: dataFolder });
  const content = `${basePath}/content/`.slice(1);
  const summary = { path: `${content}manifest.json`, size: 1, read: () => Buffer.from('1') };
  standing.add(summary.path);
  return deploy({ target, files: [...files, summary], content, listsCarried: true });
};

const POST = `content/posts/${'a'.repeat(24)}/index.json`;

test('CloudFront forgets files and addresses of what changed, and is not asked for nothing', async () => {
  await run([POST, 'content/posts/slug/café/index.json', 'content/posts/tags.json', 'style.css']);
  expect(cloudfront.taken).toHaveLength(1);
  expect(cloudfront.taken[0]?.distribution).toBe('E1');
  expect([...(cloudfront.taken[0]?.paths ?? [])].sort()).toEqual([
    `/content/posts/`,
    `/content/posts/${'a'.repeat(24)}/`,
    `/${POST}`,
    '/content/posts/slug/caf%C3%A9/',
    '/content/posts/slug/caf%C3%A9/index.json',
    '/content/posts/tags.json',
    '/style.css',
  ]);
  await run([...standing]);
  expect(cloudfront.taken).toHaveLength(1);
  await run([...standing].filter((path) => path !== POST));
  expect(cloudfront.taken[1]?.paths).toContain(`/${POST}`);
});

test('what was not taken is asked for again by the next run', async () => {
  cloudfront.isAway = true;
  await expect(run([POST])).rejects.toMatchObject({
    code: 'DEPLOY_FAILED',
    message: expect.stringContaining('AccessDenied'),
  });
  cloudfront.isAway = false;
  await run([POST]);
  expect(cloudfront.taken.map(({ paths }) => paths.includes(`/${POST}`))).toEqual([true]);
});

test('a run that broke off among the files is made up for', async () => {
  await expect(run([POST, 'content/posts/index.json'], placeOf(2))).rejects.toThrow('broken off');
  expect([...standing].slice(1)).toEqual([POST]);
  await run([POST, 'content/posts/index.json']);
  expect(cloudfront.taken[0]?.paths).toContain(`/${POST}`);
});

test('many paths become one for all', async () => {
  const many = Array.from({ length: 600 }, (_, at) =>
    POST.replace(/a{24}/, at.toString(16).padStart(24, '0')).replace(/^/, 'blog/'),
  );
  await run(many, placeOf(), '/blog');
  expect(cloudfront.taken[0]?.paths).toEqual([
    '/blog/content/*',
    '/ghost/api/*',
    '/blog/ghost/api/*',
  ]);
});

test('a list of what waits that cannot be read means everything', async () => {
  cloudfront.isAway = true;
  await run([POST]).catch(() => undefined);
  writeFileSync(join(dataFolder, 'cloudfront-E1.json'), '["/conte');
  cloudfront.isAway = false;
  await run([POST]);
  expect(cloudfront.taken[0]?.paths).toEqual(['/*']);
});
