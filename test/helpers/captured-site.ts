// The captured site in test/fixtures/ghost-small: what a real Ghost 6.65 exported, what it answered and what it sent.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const folder = new URL('../fixtures/ghost-small/', import.meta.url);

/** The address that the captured site had. */
export const CAPTURED_SITE_URL = 'http://127.0.0.1:23680';

export const CAPTURED_EXPORT = fileURLToPath(new URL('ghost-export.json', folder));
export const CAPTURED_DATABASE = fileURLToPath(new URL('ghost.sqlite', folder));

const captureSchema = z.object({ body: z.record(z.string(), z.unknown()) });

/** The body that the captured site answered. */
export const readCapture = (name: string): Readonly<Record<string, unknown>> =>
  captureSchema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))).body;
