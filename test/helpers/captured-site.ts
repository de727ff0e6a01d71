// The captured site beside the project: what a real installation exported and what it answered. Tests
// that need it are skipped where it is absent.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const folder = new URL('../../../shared/fixtures/ghost-small/', import.meta.url);

/** The address that the captured site had. */
export const CAPTURED_SITE_URL = 'http://127.0.0.1:23680';

export const CAPTURED_EXPORT = fileURLToPath(new URL('ghost-export.json', folder));
export const CAPTURED_DATABASE = fileURLToPath(new URL('ghost.sqlite', folder));

export const isCapturedSiteThere = existsSync(CAPTURED_EXPORT);

/** Stands in the name of a test that is skipped. */
export const skipReason = isCapturedSiteThere
  ? ''
  : ' (skipped: the captured site is not beside the project)';

const captureSchema = z.object({ body: z.record(z.string(), z.unknown()) });

/** The body that the captured site answered. */
export const readCapture = (name: string): Readonly<Record<string, unknown>> =>
  captureSchema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))).body;
