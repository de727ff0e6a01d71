// Answers to queries that earlier versions kept as files may name posts that were taken back since: they go.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { purgeOf } from '../../../../src/publish/deploy/purge/purge.ts';
import { createDeployingSite } from '../../../helpers/deploying-site.ts';

const OLD = [
  'posts/q/limit-3/index.json',
  'posts/q/limit-3/page-2.json.gz',
  'posts/q/filter-tag-slug-limit-15/news/index.json',
  'tags/q/order-slug-asc/~/page-12.json',
];
const OTHERS = ['posts/q/limit-3/notes.txt', 'posts/q/own.json'];

test('a full build removes answers of earlier versions, and so does the deploy of a target', async () => {
  const site = await createDeployingSite();
  await site.build();
  await site.deploy();
  for (const root of [site.deps.paths.output, site.target.folder]) {
    for (const name of [...OLD, ...OTHERS]) {
      const file = join(root, 'content', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{"posts":[]}');
    }
  }
  await site.build({ isFull: true });
  await site.deploy({ isWhole: true });
  for (const tree of [site.output(), site.target.tree()]) {
    const left = [...tree.keys()].filter((path) => path.includes('/q/'));
    expect(left.sort()).toEqual(OTHERS.map((name) => `content/${name}`).sort());
  }
});

test('caches forget all addresses, since nobody knows by which queries such a file was asked for', async () => {
  const options = { basePath: '' };
  expect(await purgeOf(['posts/q/limit-3/index.json'], options)).toContain('/content/*');
  expect(await purgeOf(['posts/index.json'], options)).not.toContain('/content/*');
});
