// Queries on the servers that read rules: each with the same publication, and three ways with what has no file.
import { describe, test } from 'vitest';
import { askAt } from './ask.ts';
import { declaredTrials } from './check-declared.ts';
import { listTrials, type Mode, undeclaredOf } from './check-lists.ts';
import { buildDeclaredSite, declaredHostQueries } from './declared-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { SERVERS } from './servers.ts';
import { holdAll } from './trials.ts';

const MODES = [
  { mode: 'refuse', basePath: '' },
  { mode: 'pass on', basePath: '/blog' },
  { mode: 'ignore', basePath: '/blog' },
] as const;

describe.each(SERVERS)('$name', ({ reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts(
      MODES.map(({ mode, basePath }) => ({
        title: mode,
        basePath,
        start: async (site, companion) => {
          const { port } = await companion();
          const hostSite = declaredHostQueries(undeclaredOf(mode, port));
          const server = await start(site, { hostSite, name: mode.replace(' ', '-') });
          return { ...server, mode: mode as Mode, companion: askAt(port) };
        },
      })),
      buildDeclaredSite,
    );

    test('default lists, records and a declared query', () =>
      holdAll(hosts().flatMap((host) => [...listTrials(host), ...declaredTrials(host)])));
  });
});
