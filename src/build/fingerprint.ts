// What the files depend on beside the rows: another fingerprint means a full build (decisions, Files).
import { createHash } from 'node:crypto';
import { RESOURCES } from '../paths/endpoints.ts';
import type { OutputSettings } from './output-settings.ts';

/** Raised whenever the same rows and settings would give other bytes. */
const FORMAT = 1;

export const fingerprintOf = (settings: OutputSettings): string => {
  const { icu, tz, unicode } = process.versions;
  const facts = {
    format: FORMAT,
    icu,
    tz,
    unicode,
    render: settings.render,
    limits: RESOURCES.map((resource) => settings.limits[resource] ?? null),
    ...(settings.encodings.length > 0 && { encodings: settings.encodings }),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
};
