// Which sizes a picture is wanted in, and which of them can be made. Pure.
import type { Config } from '../../settings/settings.ts';

export type SizeSettings = Pick<Config, 'images.sizes' | 'images.formats'>;

/** The size of the site's icon in settings. */
export const ICON_SIZE = 'w256h256';

/** `uses`: sizes by name; an empty one stands for the widths of the settings. */
export const wantedSizes = (uses: readonly string[], settings: SizeSettings): string[] => [
  ...new Set(uses.flatMap((size) => (size === '' ? defaultSizes(settings) : [size]))),
];

const defaultSizes = (settings: SizeSettings): string[] =>
  settings['images.sizes'].flatMap((width) => [
    `w${width}`,
    ...settings['images.formats'].map((format) => `w${width}/format/${format}`),
  ]);

/** Ghost leaves drawings and icons as they are. What others are, their bytes say. */
export const isResized = (path: string): boolean => !/\.(?:svgz?|ico)$/i.test(path);

export const findSides = (
  size: string,
): {
  readonly width: number | null;
  readonly height: number | null;
  readonly format: string | null;
} => {
  const [, width, height, format = null] =
    /^(?:w(\d+))?(?:h(\d+))?(?:\/format\/(.+))?$/.exec(size) ?? [];
  const side = (text: string | undefined): number | null =>
    text === undefined ? null : Math.min(Math.max(Number(text), 1), SIDE_MAX);
  return { width: side(width), height: side(height), format };
};

/** More than the largest pictures have. */
const SIDE_MAX = 20_000;
