// A publication with everything that a cycle of the publisher works with: its places, a manifest, a clock that the test
// moves, and webhooks whose events it reads from the outbox.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import type { PublishDeps } from '../../src/publish/cycle/publish-deps.ts';
import { openManifest } from '../../src/publish/manifest/open-manifest.ts';
import { dataPathsOf } from '../../src/settings/data-paths.ts';
import { createPublication, type Publication } from './publication.ts';
import { testConfig } from './tree.ts';

export type PublishingSite = Publication & {
  readonly deps: PublishDeps;
  readonly clock: { ms: number };
  /** Names of all events that were queued, the oldest first. */
  readonly events: () => string[];
  /** Those since the last call. */
  readonly newEvents: () => string[];
};

/** `wanted`: events that somebody has a webhook for; `flags`: other settings. Closed with the test. */
export const createPublishingSite = async (
  wanted: readonly string[] = [],
  flags: Record<string, unknown> = {},
): Promise<PublishingSite> => {
  const publication = await createPublication();
  const { folder, store, shell } = publication;
  const config = testConfig({
    database: join(folder, 'publication.db'),
    output: join(folder, 'output'),
    ...flags,
  });
  const paths = dataPathsOf(config);
  const manifest = openManifest(paths.manifest);
  onTestFinished(() => manifest.close());
  const clock = { ms: Date.parse('2026-05-01T12:00:00Z') };
  const subscribe = shell.prepare(
    "INSERT INTO webhooks (id, event, target_url, secret_sealed, created_at) VALUES (?, ?, 'https://x.test/', x'00', 0)",
  );
  for (const event of wanted) subscribe.run(createId(), event);
  const listed = shell.prepare('SELECT event FROM events ORDER BY rowid').pluck();
  const events = (): string[] => listed.all() as string[];
  let seen = 0;
  return {
    ...publication,
    clock,
    deps: { config, paths, store, manifest, clock: { now: () => clock.ms } },
    events,
    newEvents: () => {
      const all = events();
      const news = all.slice(seen);
      seen = all.length;
      return news;
    },
  };
};
