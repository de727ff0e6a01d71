// Which of the encodings that a document has a request is answered in.
import Negotiator from 'negotiator';
import type { Encoding } from '../../../content/paths/sidecars.ts';

/**
 * The encoding of `offered` that `Accept-Encoding` likes best, of equal ones the first; null: as it is, which every
 * client takes.
 */
export const acceptedEncoding = (
  header: string | undefined,
  offered: readonly Encoding[],
): Encoding | null => {
  if (header === undefined || offered.length === 0) return null;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [best] = negotiator.encodings([...offered, 'identity'], { preferred: offered });
  return offered.find((encoding) => encoding === best) ?? null;
};
