// The companion server is held to the list first: what it answers is what every host must.
import { expect, test } from 'vitest';
import { conditionTrials } from './check-conditions.ts';
import { hostTrials } from './check-host.ts';
import { startCompanion } from './companion-process.ts';
import { REQUESTS } from './conformance.ts';
import { startHosts } from './hosts-of-file.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { holdAll } from './trials.ts';

const hosts = startHosts([{ title: 'companion', start: (site) => startCompanion(site) }]);

test('conditions and ranges', () => holdAll(hosts().flatMap(conditionTrials)));

test('documents and addresses', () =>
  holdAll(
    hosts().flatMap((host) =>
      hostTrials(host, { answersAll: true, exceptions: rawByteExceptions }),
    ),
  ));

test('the list has at least sixty requests, each once', () => {
  expect(REQUESTS.length).toBeGreaterThanOrEqual(60);
  const names = REQUESTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});
