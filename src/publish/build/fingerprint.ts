// What the files depend on beside the rows (decisions, Files). The first part stands for what the manifest keeps of a
// tree, the second for all else that reaches a record: another one of them means a full build.
import { createHash } from 'node:crypto';
import { RECORD_COLUMNS } from '../../publication/tables/record-columns.ts';
import type { OutputSettings } from './output-settings.ts';

/** Raised whenever the same rows and settings would give other bytes, but for a column more or less. */
const FORMAT = 8;

/** Digits of each part. */
const PART_DIGITS = 16;

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
  return digest(shape) + digest({ icu, tz, unicode, render });
};

/** True when only what is in the files may differ: what is kept of them means the same for both. */
export const hasSameShape = (one: string, other: string): boolean =>
  one.slice(0, PART_DIGITS) === other.slice(0, PART_DIGITS);

const digest = (facts: object): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, PART_DIGITS);
