// A publisher of a test: what it reported, and its end with the test.
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { PublishDeps } from '../../src/publish/cycle/publish-deps.ts';
import type { PublishReport } from '../../src/publish/cycle/publish-once.ts';
import { type Publisher, startPublisher } from '../../src/publish/cycle/publisher.ts';

export type WatchedPublisher = {
  readonly publisher: Publisher;
  readonly reports: PublishReport[];
  readonly failures: unknown[];
};

export const watchPublisher = (
  deps: PublishDeps,
  options?: Parameters<typeof startPublisher>[2],
): WatchedPublisher => {
  const reports: PublishReport[] = [];
  const failures: unknown[] = [];
  const publisher = startPublisher(
    { ...deps, clock: systemClock },
    { onPublished: (report) => reports.push(report), onFailed: (error) => failures.push(error) },
    options,
  );
  onTestFinished(() => publisher.close());
  return { publisher, reports, failures };
};
