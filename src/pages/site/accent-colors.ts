// The accent colour of the publication, darkened for text on light paper and lightened for dark paper until it can be
// read there (WCAG AA, 4.5:1). Anything but a hex colour gives way to a quiet blue.

const DEFAULT = '#1f5f7a';
const LIGHT_PAPER = '#f4f2ec';
const DARK_PAPER = '#20262a';
const CONTRAST_MIN = 4.6;
const STEPS = 20;

export type AccentColors = {
  /** As it was chosen; for surfaces and lines. */
  readonly plain: string;
  /** For text on light paper, and for surfaces under white text. */
  readonly light: string;
  /** For text on dark paper. */
  readonly dark: string;
};

export const accentColors = (chosen: string | null): AccentColors => {
  const plain = findHex(chosen ?? '') ?? DEFAULT;
  return {
    plain,
    light: until(plain, [0, 0, 0], LIGHT_PAPER),
    dark: until(plain, [255, 255, 255], DARK_PAPER),
  };
};

type Rgb = readonly [number, number, number];

/** `#rrggbb`, or null. */
const findHex = (text: string): string | null => {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
};

const until = (color: string, target: Rgb, paper: string): string => {
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = mix(rgbOf(color), target, step / STEPS);
    if (contrast(mixed, rgbOf(paper)) >= CONTRAST_MIN) return hexOf(mixed);
  }
  return hexOf(target);
};

const rgbOf = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

const contrast = (one: Rgb, other: Rgb): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const luminance = (color: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
