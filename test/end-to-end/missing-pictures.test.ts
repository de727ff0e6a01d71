// Pictures that records name and that are not there are said by the import, by `verify` and by `status`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const picture = (name: string): string => `__GHOST_URL__/content/images/${name}`;

const POST = {
  id: '64a0000000000000000000a1',
  uuid: '64a00000-0000-4000-8000-0000000000a1',
  title: 'Pictures',
  slug: 'pictures',
  html: `<img src="${picture('a.png')}" srcset="${picture('size/w600/a.png')} 600w"><img src="${picture('size/w600/gone.png')}">`,
  feature_image: picture('absent.png'),
  status: 'published',
  visibility: 'public',
  type: 'post',
  created_at: '2026-01-01 10:00:00',
  updated_at: '2026-01-01 10:00:00',
  published_at: '2026-01-01 10:00:00',
};

test('an original stands for its sizes, and what is absent is named', async () => {
  const folder = temporaryFolder();
  const original = join(folder, 'ghost/images/a.png');
  mkdirSync(dirname(original), { recursive: true });
  writeFileSync(original, 'a picture');
  const data = {
    posts: [POST],
    settings: [{ id: '64a0000000000000000000b1', key: 'icon', value: picture('a.png') }],
  };
  const meta = { exported_on: 1_767_268_800_000, version: '5.80.0' };
  writeFileSync(join(folder, 'export.json'), JSON.stringify({ db: [{ meta, data }] }));
  const named = ['content/images/absent.png', 'content/images/size/w600/gone.png'];
  const site = ['--site-url', 'https://example.com'];
  const said = await prepress(folder, ['import', 'export.json', '--images', 'ghost', ...site]);
  expect(said).toContain(`records name 2 missing files: ${named.join(', ')}.`);
  await prepress(folder, ['build', ...site]);
  const { notes } = JSON.parse(await prepress(folder, ['verify', '--json', ...site]));
  expect(notes.map(({ path }: { path: string }) => path)).toEqual(named);
  const status = await prepress(folder, ['status']);
  expect(status).toMatch(
    /missing pictures +checked at .*, count 2, first images\/absent.png,images\/size/,
  );
});
