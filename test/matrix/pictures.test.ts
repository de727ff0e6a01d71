// Every address of a picture that documents, pages and feeds name has a picture of the right type, and a size its width: before
// sizes are made and after, on the companion server, on hosts of rules and code, and in a folder without rules.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { originalOf, sizedFile, sizeOf } from '../../src/content/paths/files.ts';
import { eventually } from '../helpers/eventually.ts';
import { skipFormats } from '../helpers/format-thread.ts';
import { putPicture, skipSizes } from '../helpers/pictures.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { CONTENT, type Serving, startServing } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { lexicalOf } from '../unit/serve/editor/documents.ts';
import {
  missingHosts,
  type PictureHost,
  portHost,
  startPictureHosts,
  uploadAgain,
} from './picture-hosts.ts';
import { CAPTURED, GENERATED, namesIn, type PictureSite, SITE } from './picture-sites.ts';

const WIDTHS = [600, 1_000, 1_600, 2_400];
const TYPES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', svg: 'image/svg+xml' },
  ...{ gif: 'image/gif', webp: 'image/webp', avif: 'image/avif' },
};

/** Paths below content/ of all pictures that the output names. */
const listNamed = (folder: string): string[] => {
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(?:json|html|xml)$/.test(name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  return [...new Set(texts.flatMap(namesIn))].sort();
};

const sizesOf = ({ shown, formats }: PictureSite): string[] =>
  shown.flatMap((path) =>
    WIDTHS.flatMap((width) => [
      sizedFile(path, `w${width}`),
      ...formats.map((format) => sizedFile(path, `w${width}/format/${format}`)),
    ]),
  );

type Expected = { readonly type: string; readonly width: number; readonly format: string };

/** Of the size that is made of an original, by Ghost's rules. */
const expectedOf = async (path: string, original: string): Promise<Expected> => {
  const { autoOrient, format } = await sharp(original).metadata();
  const [, width, height] = /^w(\d+)(h\d+)?/.exec(sizeOf(path) ?? '') ?? [];
  const asked = height === undefined ? Math.min(Number(width), autoOrient.width) : Number(width);
  return {
    type: TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? '',
    width: width === undefined || format === 'svg' ? autoOrient.width : asked,
    format: format === 'svg' ? format : (/format\/(\w+)/.exec(path)?.[1] ?? format),
  };
};

type Asked = { readonly path: string; readonly originals: string; readonly areMade: boolean };

/** What is wrong, or nothing. */
const check = async (host: PictureHost, { path, originals, areMade }: Asked): Promise<string[]> => {
  const named = join(originals, decodeURIComponent(originalOf(path)));
  const original = existsSync(named) ? named : named.normalize('NFD');
  const { status, type, body } = await host.ask(path);
  const { type: typeWanted, width, format } = await expectedOf(path, original);
  const isSize = sizeOf(path) !== null && format !== 'svg';
  const say = async (): Promise<string> => {
    if (isSize) return areMade ? sayPicture(body) : 'either';
    return body.equals(readFileSync(original)) ? 'the original' : 'another';
  };
  const wanted = isSize ? (areMade ? `${width} ${format}` : 'either') : 'the original';
  const line = `200 ${type === null ? 'any type' : typeWanted} ${wanted}`;
  const found = `${status} ${type ?? 'any type'} ${status === 200 ? await say() : 'nothing'}`;
  return found === line ? [] : [`${host.name} ${path}: ${found}, not ${line}`];
};

const sayPicture = async (body: Buffer): Promise<string> => {
  const { width, format, exif } = await sharp(body).metadata();
  return `${width} ${format}${exif === undefined ? '' : ' with EXIF'}`;
};

const checkAll = async (
  hosts: readonly PictureHost[],
  paths: readonly string[],
  rest: Omit<Asked, 'path'>,
): Promise<void> => {
  const wrong: string[] = [];
  for (const host of hosts)
    for (const path of paths) wrong.push(...(await check(host, { path, ...rest })));
  expect(wrong).toEqual([]);
};

const waiting = async ({ folder }: Serving): Promise<{ waiting: number; made: number }> =>
  JSON.parse(await prepress(folder, ['status', '--json'])).picture_sizes;

/** A post whose html is rendered here, of which nothing is in the export. */
const savePost = async (serving: Serving): Promise<void> => {
  const image = { type: 'image', version: 1, src: `${SITE}/content/images/a.png` };
  const post = { title: 'Sized', status: 'published', lexical: lexicalOf(image) };
  const feature = { feature_image: `${SITE}/content/images/f.png` };
  await serving.admin('POST', '/posts/', { posts: [{ ...post, ...feature }] });
};

const reason = missingHosts();
const skipped = skipSizes || skipFormats || reason;

describe.skipIf(skipped)(`pictures ${skipped || ''}`, () => {
  test.each([CAPTURED, GENERATED])('$name: every address has its picture', async (site) => {
    const folder = temporaryFolder();
    const originals = join(folder, 'ghost');
    mkdirSync(originals);
    const exported = await site.put(originals);
    for (const name of ['a.png', 'f.png'])
      await putPicture(join(originals, 'images', name), 1_200, 600);
    const config = { siteUrl: SITE, site: true, 'images.formats': site.formats };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(config));
    await prepress(folder, ['import', exported, '--images', 'ghost']);
    const serving = await startServing(folder);
    onTestFinished(async () => void (await serving.end()));
    await savePost(serving);
    const output = join(folder, 'output');
    const names = await eventually(() => {
      const found = listNamed(output);
      expect(found).toContain('images/size/w600/a.png');
      return found;
    }, 'the post names sizes');
    expect(names).toContain('images/size/w256h256/icon.png');
    const shown = ['images/f.png', ...site.shown];
    const paths = [...names, ...sizesOf({ ...site, shown })];
    const hosts = [
      portHost('the companion', Number(new URL(serving.url).port)),
      ...(await startPictureHosts(folder)),
    ];
    await checkAll(hosts, paths, { originals, areMade: false });
    await eventually(async () => {
      expect(await waiting(serving)).toMatchObject({ waiting: 0 });
    }, 'no picture waits');
    uploadAgain(folder);
    await checkAll(hosts, paths, { originals, areMade: true });
    expect(await waiting(serving)).toMatchObject({ faults: 0 });
    expect(listNamed(join(folder, CONTENT)).length).toBeGreaterThan(8);
  });
});
