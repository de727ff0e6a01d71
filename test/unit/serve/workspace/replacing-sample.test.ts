// An import that replaces the sample takes the sample's drawings away, but nothing that is anybody else's.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import { removeSample } from '../../../../src/publication/import/sample/sample.ts';
import { openGhostExport } from '../../../../src/publication/sources/ghost-export/source.ts';
import {
  countPlacedMedia,
  updateMedia,
  verifyPlacedMedia,
} from '../../../../src/publish/cycle/media.ts';
import type { MediaBucket } from '../../../../src/publish/cycle/media-bucket.ts';
import { createDatabase } from '../../../../src/serve/workspace/create-database.ts';
import { bringImages } from '../../../../src/serve/workspace/import-images.ts';
import { replacingSample } from '../../../../src/serve/workspace/replacing-sample.ts';
import { createReport } from '../../../../src/serve/workspace/report.ts';
import { openWorkspace, type Workspace } from '../../../../src/serve/workspace/workspace.ts';
import { insertRow } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';
import { REAL_EXPORT } from '../../publication/import/ghost-import.ts';

const openSample = async (): Promise<Workspace> => {
  const folder = temporaryFolder();
  const database = join(folder, 'data/publication.db');
  const config = testConfig({
    database,
    output: join(folder, 'output'),
    media: join(folder, 'media'),
  });
  await createDatabase(config, { isEmpty: false });
  const workspace = await openWorkspace(config);
  onTestFinished(workspace.close);
  return workspace;
};

const importReal = ({ store, paths, ...parts }: Workspace): Promise<unknown> => {
  const file = join(paths.media, '../export.json');
  writeFileSync(file, REAL_EXPORT);
  return replacingSample({ store, paths, ...parts }, () =>
    importSource(store, openGhostExport(file), { prepare: removeSample }),
  );
};

const drawingsOf = ({ paths }: Workspace): string[] =>
  readdirSync(join(paths.media, 'images/sample')).sort();

/** What the media folder has whenever the bucket takes what it lacks. */
const watchBucket = ({ paths }: Workspace) => {
  const taken: string[][] = [];
  const addRest = async (): Promise<[]> => {
    const names = readdirSync(paths.media, { recursive: true, encoding: 'utf8' });
    taken.push(names.filter((name) => name.endsWith('.png') || name.endsWith('.svg')));
    return [];
  };
  const bucket: MediaBucket = {
    addRest,
    add: async () => true,
    fetch: async () => [],
    close: () => undefined,
  };
  return { bucket, taken };
};

test('a bucket gets what an import brings, without the drawings that go with the sample', async () => {
  const workspace = await openSample();
  const { bucket, taken } = watchBucket(workspace);
  const from = join(temporaryFolder(), 'from');
  mkdirSync(join(from, 'images'), { recursive: true });
  writeFileSync(join(from, 'images/own.png'), 'own');
  const shared = { ...workspace, bucket };
  const report = createReport({ json: true });
  await bringImages({ from, siteUrl: undefined, workspace: shared, report }, []);
  expect(taken).toEqual([]);
  await importReal(shared);
  expect(taken).toEqual([['images/own.png']]);
});

test('the drawings of the sample go with it, and the folders that they leave empty', async () => {
  const workspace = await openSample();
  const { paths } = workspace;
  await updateMedia(paths, {});
  expect(drawingsOf(workspace)).toHaveLength(5);
  expect(countPlacedMedia(paths)?.files).toBe(5);
  await importReal(workspace);
  expect(existsSync(join(paths.media, 'images'))).toBe(false);
  // The output follows, although the media folder has no picture any more.
  expect(await updateMedia(paths, {})).toEqual({ placed: 0, removed: 5, skipped: [] });
  expect(await verifyPlacedMedia(paths)).toEqual([]);
  expect(existsSync(join(paths.contentFolder, 'images/sample'))).toBe(false);
});

test('a drawing that was altered stays, as does one that a post names, and what others put there', async () => {
  const workspace = await openSample();
  const folder = join(workspace.paths.media, 'images/sample');
  const [altered = '', named = ''] = drawingsOf(workspace);
  rmSync(join(folder, altered));
  writeFileSync(join(folder, altered), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'mine.png'), 'mine');
  const shell = new (loadDriver())(workspace.paths.database);
  insertRow(shell, 'posts', { html: `<img src="/content/images/sample/${named}">` });
  shell.close();
  await importReal(workspace);
  expect(drawingsOf(workspace)).toEqual([altered, named, 'mine.png'].sort());
});

test('a later import takes nothing away, even where drawings stand', async () => {
  const workspace = await openSample();
  await importReal(workspace);
  const again = await openSample();
  await importSource(again.store, openGhostExport(join(workspace.paths.media, '../export.json')), {
    prepare: removeSample,
  });
  await importReal(again);
  expect(drawingsOf(again)).toHaveLength(5);
});
