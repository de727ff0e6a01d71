// A publication whose pictures are made in sizes, and what stands in its output.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { publishOnce } from '../../src/publish/cycle/publish-once.ts';
import { type MakeOptions, makeSizes } from '../../src/publish/sizes/make-sizes.ts';
import { putPicture, SIZE_WORKER } from './pictures.ts';
import { createPublishingSite } from './publishing-site.ts';
import { readTree } from './tree-files.ts';

export const listFiles = (folder: string): string[] => [...readTree(folder).keys()];

export const LIVE = { status: 'published', published_at: '2026-01-01' } as const;

export const createSizesSite = async (flags: Record<string, unknown> = {}) => {
  const site = await createPublishingSite([], { 'images.sizes': '100,300', ...flags });
  const { deps, folder } = site;
  const media = join(folder, 'media');
  const config = { ...deps.config, media };
  const paths = { ...deps.paths, media };
  const output = join(paths.contentFolder, 'images');
  const own = { ...deps, config, paths };
  const set = (changed: object) => ({ ...own, config: { ...config, ...changed } });
  return {
    ...site,
    deps: own,
    set,
    put: (path: string, width: number, height = width) =>
      putPicture(join(media, 'images', path), width, height),
    publish: () => publishOnce(own),
    make: (workerFile = SIZE_WORKER, options: MakeOptions = {}) =>
      makeSizes(own, { workerFile, ...options }),
    /** Widths of what stands in sizes, by path. */
    shown: async (): Promise<Record<string, number>> => {
      const found: Record<string, number> = {};
      for (const path of listFiles(join(output, 'size'))) {
        const bytes = readFileSync(join(output, 'size', path));
        found[path] = (await sharp(bytes).metadata()).width;
      }
      return found;
    },
    encoded: () => listFiles(paths.sizes).filter((name) => /^[0-9a-f]{2}\//.test(name)),
    output,
    media,
  };
};
