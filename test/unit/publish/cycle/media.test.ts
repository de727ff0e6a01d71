// Pictures come before the documents that name them; one program at a time works on many of them.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { acquireBuildLock } from '../../../../src/publication/store/locks/build-lock.ts';
import { bringMedia, updateMedia, verifyPlacedMedia } from '../../../../src/publish/cycle/media.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { openWorkspace, type Workspace } from '../../../../src/serve/workspace/workspace.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

const openSite = async (): Promise<Workspace> => {
  const site = temporaryFolder();
  const config = testConfig({
    database: join(site, 'data/publication.db'),
    output: join(site, 'output'),
    basePath: '/blog',
  });
  const workspace = await openWorkspace(config, { create: true });
  onTestFinished(workspace.close);
  return workspace;
};

const put = (folder: string, name: string): void => {
  mkdirSync(join(folder, 'images'), { recursive: true });
  writeFileSync(join(folder, 'images', name), name);
};

test('the media folder lies beside the folder of the database, and two publications have two', async () => {
  const { paths } = await openSite();
  expect(paths.media).toBe(join(paths.output, '../media'));
  const other = { ...testConfig(), database: '/srv/one/publication.db' };
  expect(dataPathsOf(other).media).toBe('/srv/one-media');
  expect(dataPathsOf({ ...other, media: '/mnt/pictures' }).media).toBe('/mnt/pictures');
});

test('a publication without pictures gets neither folder nor index', async () => {
  const workspace = await openSite();
  expect(await publishOnce(workspace)).toMatchObject({ media: { placed: 0 } });
  for (const path of [workspace.paths.media, workspace.paths.mediaIndex]) {
    expect(existsSync(path)).toBe(false);
  }
});

test('a picture is in its place before the first document is rendered', async () => {
  const workspace = await openSite();
  put(workspace.paths.media, 'a.png');
  const picture = join(workspace.paths.contentFolder, 'images/a.png');
  let wasThere = false;
  await publishOnce(workspace, {
    onPlacing: () => {
      wasThere = existsSync(picture);
    },
  });
  expect(wasThere).toBe(true);
  expect(picture).toContain('/output/blog/content/');
});

test('a link in place of a folder of pictures is named once, and the next build puts the folder back', async () => {
  const workspace = await openSite();
  const { media, contentFolder, output } = workspace.paths;
  for (const name of ['a.png', 'b.png']) put(media, name);
  put(join(media, 'images/2024'), 'deep.png');
  await publishOnce(workspace);
  const verify = async () => verifyPlacedMedia(workspace.paths);
  expect(await verify()).toEqual([]);
  for (const path of ['images/2024', 'images']) {
    const moved = join(output, '..', path.replace('/', '-'));
    renameSync(join(contentFolder, path), moved);
    symlinkSync(moved, join(contentFolder, path));
    const reason =
      'a link, or something else that is not a folder, stands here; the next build puts the folder in its place';
    expect(await verify()).toEqual([{ path, reason }]);
    await publishOnce(workspace);
    expect(await verify()).toEqual([]);
  }
});

test('a cycle leaves pictures to a program that is at work on them', async () => {
  const workspace = await openSite();
  put(workspace.paths.media, 'a.png');
  const lock = await acquireBuildLock(workspace.paths.imagesLock, 0);
  expect(await publishOnce(workspace)).toMatchObject({ media: null, kind: 'full' });
  lock.release();
  expect(await publishOnce(workspace)).toMatchObject({ media: { placed: 1 } });
});

test('what was imported before there was a media folder is taken from the output', async () => {
  const { paths } = await openSite();
  put(paths.contentFolder, 'old.png');
  await updateMedia(paths, {});
  expect(existsSync(paths.media)).toBe(false);
  writeFileSync(paths.imagesLock, '');
  put(`${paths.media}.new`, 'half.png');
  await bringMedia(paths, async () => put(paths.media, 'new.png'));
  rmSync(paths.output, { recursive: true });
  expect(await updateMedia(paths, {})).toMatchObject({ placed: 2, skipped: [] });
  expect(readFileSync(join(paths.contentFolder, 'images/old.png'), 'utf8')).toBe('old.png');
  expect(existsSync(`${paths.media}.new`)).toBe(false);
});

test('where no media folder can be made, the site is published, and a warning says so', async () => {
  const workspace = await openSite();
  const { paths } = workspace;
  put(paths.contentFolder, 'old.png');
  writeFileSync(paths.imagesLock, '');
  writeFileSync(join(paths.media, '..', 'file'), '');
  const media = join(paths.media, '../file/media');
  const report = await publishOnce({ ...workspace, paths: { ...paths, media } });
  expect(report).toMatchObject({ kind: 'full' });
  expect(report.warnings.join()).toMatch(/Media folder: .*file\/media cannot be made/);
  expect(existsSync(join(paths.contentFolder, 'images/old.png'))).toBe(true);
});
