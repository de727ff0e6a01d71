// Which of the encodings that a document has a request is answered in.
import type { Encoding } from '../../paths/sidecars.ts';

const ITEM = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([0-9.]+)\s*)?$/i;

/**
 * The encoding of `offered` that `Accept-Encoding` likes best, of equal ones the first; null: as it is, which every
 * client takes.
 */
export const acceptedEncoding = (
  header: string | undefined,
  offered: readonly Encoding[],
): Encoding | null => {
  if (header === undefined || offered.length === 0) return null;
  const qualities = new Map(
    header.split(',').flatMap((item) => {
      const [, name, quality = '1'] = ITEM.exec(item) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), Number(quality) || 0] as const];
    }),
  );
  const others = qualities.get('*') ?? 0;
  let best: Encoding | null = null;
  let most = qualities.get('identity') ?? 0;
  for (const encoding of offered) {
    const quality = qualities.get(encoding) ?? others;
    if (quality > most || (best === null && quality === most && quality > 0)) {
      best = encoding;
      most = quality;
    }
  }
  return best;
};
