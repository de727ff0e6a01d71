// Rows of the source that cannot be read are named by every build and by verify, and fail a strict build, where a
// document of the shape shows them.
import { expect, test } from 'vitest';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import { endFollowing } from '../../../../src/publication/store/import/following.ts';
import { outputSettingsOf } from '../../../../src/publish/build/output-settings.ts';
import { verifyTree } from '../../../../src/publish/build/verify/verify.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { openGhost } from '../../../helpers/ghost-database.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';

const createScene = async () => {
  const { deps, store } = await createPublishingSite([]);
  const { ghost, source } = openGhost();
  await syncOnce({ store, source }, { begins: true });
  const shaped = { ...deps, config: { ...deps.config, shape: 'ghost' as const } };
  return { deps, shaped, store, ghost, look: () => syncOnce({ store, source }) };
};

type Scene = Awaited<ReturnType<typeof createScene>>;

const verified = async ({ deps, store }: Scene): Promise<string[]> => {
  const snapshot = store.snapshot();
  const { manifest, paths, config } = deps;
  const settings = outputSettingsOf(config, snapshot.settings());
  const { contentFolder } = paths;
  const findings = await verifyTree({ contentFolder, manifest, snapshot, settings });
  snapshot.close();
  return findings.map(({ reason }) => reason);
};

test('a build names the row until the source mends it or is followed no more', async () => {
  const scene = await createScene();
  const { deps, store, ghost, look } = scene;
  const id = ghost.prepare('SELECT min(id) FROM tags').pluck().get();
  ghost.prepare("UPDATE tags SET name = x'00' WHERE id = ?").run(id);
  await look();
  const line = `Row ${id} of tags in the source cannot be read (name is not a text); an earlier version is shown.`;
  for (let round = 0; round < 2; round += 1) {
    expect(await publishOnce(deps)).toMatchObject({ warnings: [line], setAside: [line] });
  }
  expect(await verified(scene)).toEqual([line]);
  const strict = () => publishOnce(deps, { isStrict: true });
  const failure = { code: 'BUILD_INPUT_INVALID', details: [{ table: 'tags', id, field: 'name' }] };
  await expect(strict()).rejects.toMatchObject(failure);
  ghost.prepare("UPDATE tags SET name = 'Mended' WHERE id = ?").run(id);
  await look();
  expect(await strict()).toMatchObject({ setAside: [] });
  ghost.prepare("UPDATE tags SET name = x'00' WHERE id = ?").run(id);
  await look();
  expect(await publishOnce(deps)).toMatchObject({ setAside: [line] });
  await store.write((tx) => endFollowing(tx, 1));
  expect(await strict()).toMatchObject({ setAside: [] });
  expect(await verified(scene)).toEqual([]);
});

test('tiers and settings are named where documents of the shape show them', async () => {
  const { deps, shaped, ghost, look } = await createScene();
  ghost.exec(`UPDATE products SET name = x'00';
    UPDATE settings SET value = x'00' WHERE key IN ('title', 'portal_button');
    INSERT INTO settings (id, key, value) VALUES ('${'e'.repeat(24)}', 'members_track_sources', x'00')`);
  await look();
  const fields = (lines: readonly string[]): string[] =>
    lines.map((line) => /\((.*) is not a text\)/.exec(line)?.[1] ?? line).sort();
  const plain = await publishOnce(deps);
  expect(fields(plain.setAside)).toEqual(['value of title']);
  const full = ['name', 'name', 'value of portal_button', 'value of title'];
  expect(fields((await publishOnce(shaped)).setAside)).toEqual(full);
});
