import { expect, test } from 'vitest';
import { createPost } from '../../../../src/serve/admin/posts/posts.ts';
import { readPost } from '../../../../src/serve/admin/posts/read-post.ts';
import { editSettings } from '../../../../src/serve/admin/settings.ts';
import { parseInput } from '../../../../src/serve/contract/input/parse-input.ts';
import { postCreateInput } from '../../../../src/serve/contract/input/post-input.ts';
import { insertRow } from '../../../helpers/publication.ts';
import { createHarness } from './harness.ts';

const AT = '2026-01-01 00:00:00';

type Shown = { readonly visibility: string; readonly tiers: readonly { readonly id: string }[] };

const open = async () => {
  const { context, shell } = await createHarness();
  const store = (key: string, value: string) => insertRow(shell, 'settings', { key, value });
  const create = async (given: object, type: 'post' | 'page' = 'post'): Promise<Shown> => {
    const input = parseInput(postCreateInput, { title: 'A', status: 'published', ...given });
    const id = await createPost(context, { type, input }, { sourceHtml: true });
    return (await readPost(context, { type, id })) as Shown;
  };
  return { context, shell, store, create };
};

test('a post or page that names no visibility has that of the settings', async () => {
  const { context, create } = await open();
  await editSettings(context, [{ key: 'default_content_visibility', value: 'members' }]);
  expect(await create({})).toMatchObject({ visibility: 'members' });
  expect(await create({}, 'page')).toMatchObject({ visibility: 'members' });
  expect(await create({ visibility: 'public' })).toMatchObject({ visibility: 'public' });
  const wrong = editSettings(context, [{ key: 'default_content_visibility', value: 'all' }]);
  await expect(wrong).rejects.toThrow('default_content_visibility must be one of public, members');
});

test('with tiers, it has those of the settings that there are', async () => {
  const { shell, store, create } = await open();
  const tier = insertRow(shell, 'tiers', { slug: 'gold', name: 'Gold', created_at: AT });
  const other = insertRow(shell, 'tiers', { slug: 'silver', name: 'Silver', created_at: AT });
  store('default_content_visibility', 'tiers');
  store('default_content_visibility_tiers', JSON.stringify([tier, 'f'.repeat(24)]));
  const idsOf = ({ tiers }: Shown) => tiers.map(({ id }) => id);
  expect(await create({})).toMatchObject({ visibility: 'tiers', tiers: [{ id: tier }] });
  expect(idsOf(await create({ tiers: [{ id: other }] }))).toEqual([other]);
});

test('a setting that is no visibility gives no public post', async () => {
  const { store, create } = await open();
  store('default_content_visibility', 'everyone');
  expect(await create({})).toMatchObject({ visibility: 'members' });
});
