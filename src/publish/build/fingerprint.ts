// What the files depend on beside the rows (decisions, Files). The first part stands for what the manifest keeps of a
// tree, the second for all else that reaches a record: another one of them means a full build.
import { createHash } from 'node:crypto';
import { RECORD_COLUMNS } from '../../publication/tables/record-columns.ts';
import type { OutputSettings } from './output-settings.ts';

/** Raised whenever the same rows and settings would give other bytes, but for a column more or less. */
const FORMAT = 8;

/** Digits of each part. */
const PART_DIGITS = 16;

/** Two digests, which decide; the named settings follow, for whoever is told what differs. */
export const fingerprintOf = (settings: OutputSettings): string => {
  const { render, encodings, listMax, listPages, searchIndex } = settings;
  const { icu, tz, unicode } = process.versions;
  const shape = {
    format: FORMAT,
    columns: RECORD_COLUMNS,
    encodings,
    listMax,
    listPages,
    searchIndex,
  };
  const digests = digest(shape) + digest({ icu, tz, unicode, render });
  return digests + JSON.stringify(namedSettings(settings));
};

/** The digests alone. */
export const digestsOf = (fingerprint: string): string => fingerprint.slice(0, 2 * PART_DIGITS);

/** True when only what is in the files may differ: what is kept of them means the same for both. */
export const hasSameShape = (one: string, other: string): boolean =>
  one.slice(0, PART_DIGITS) === other.slice(0, PART_DIGITS);

/** The settings by their names, those of the publication by the names of its own; null where an older version built. */
export const settingsIn = (fingerprint: string): NamedSettings | null => {
  const text = fingerprint.slice(2 * PART_DIGITS);
  return text === '' ? null : (JSON.parse(text) as NamedSettings);
};

type NamedSettings = ReturnType<typeof namedSettings>;

const namedSettings = (settings: OutputSettings) => {
  const { render, encodings, listMax, listPages, searchIndex } = settings;
  const { siteUrl, permalinks, timezone, outboundLinkTagging, ghost } = render;
  return {
    siteUrl,
    permalinks,
    shape: ghost === undefined ? 'interface' : 'ghost',
    precompress: encodings,
    'lists.max': listMax,
    'lists.pages': listPages,
    searchIndex,
    timezone,
    outbound_link_tagging: outboundLinkTagging,
    comments_enabled: ghost?.hasComments ?? null,
  };
};

const digest = (facts: object): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, PART_DIGITS);
