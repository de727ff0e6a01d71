// Compressed copies of documents, each beside its file: what they are called, and of which file one is.

/** As `Accept-Encoding` names them. */
export type Encoding = 'br' | 'gzip';

/** The smaller first. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

export const sidecarOf = (file: string, encoding: Encoding): string =>
  `${file}${ENDINGS[encoding]}`;

/** Of every encoding, whether it is made or not. */
export const sidecarsOf = (file: string): string[] =>
  ENCODINGS.map((encoding) => sidecarOf(file, encoding));

/**
 * True for files in folders: the error document is too short, and the summary is for programs alone. Columns are
 * numbers, which hardly become smaller.
 */
export const hasSidecars = (file: string): boolean => file.includes('/') && !file.endsWith('.bin');

const SIDECAR =
  /^((?:posts|pages|tags|authors|settings|tiers|search-index)\/(?:.+\/)?[a-z0-9-]+\.json|packed\/(?:root\.json|[0-9a-f]{2}\/[0-9a-f]{30}\.txt))\.(br|gz)$/;

/** The file, relative to the content folder, that a sidecar is of; null for what is no sidecar. */
export const findDocument = (file: string): string | null =>
  file.endsWith('.json') ? null : (SIDECAR.exec(file)?.[1] ?? null);

export const findEncoding = (file: string): Encoding | null =>
  ENCODINGS.find((encoding) =>
    ['.json', '.txt'].some((ending) => file.endsWith(`${ending}${ENDINGS[encoding]}`)),
  ) ?? null;
