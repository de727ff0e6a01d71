// Queries on the servers that read rules: each with the same publication, and three ways with what has no file.
import { describe, test } from 'vitest';
import { SETTINGS_NAMES } from '../../src/content/paths/settings-names.ts';
import { askAt } from './ask.ts';
import { listTrials, type Mode, otherQueriesOf } from './check-lists.ts';
import { QUERY_PATHS, queryTrials } from './check-queries.ts';
import { spellingsOf } from './conformance.ts';
import { type HostUnderTest, startHosts } from './hosts-of-file.ts';
import { buildListSite, listSiteQueries } from './list-site.ts';
import { SERVERS } from './servers.ts';
import { LONG_SLUG } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

const MODES = [
  { mode: 'refuse', basePath: '' },
  { mode: 'pass on', basePath: '/blog' },
  { mode: 'ignore', basePath: '/blog' },
] as const;

/** Apache asks the disk for a name before it reads rules, and refuses what is too long for one. */
const pathsOf = (server: string) =>
  server === 'Apache'
    ? QUERY_PATHS.filter((path) => !path.includes(encodeURIComponent(LONG_SLUG)))
    : QUERY_PATHS;

/** Settings, a history in Git and work under way, below `content/`. */
const CLOSED = [
  ...SETTINGS_NAMES.filter((name) => name !== '.htaccess'),
  ...['.git/config', 'images/.git/config', '.prepress-staging/l1'],
];

const closedTrials = ({ title, site, ask }: HostUnderTest): Trial[] =>
  CLOSED.flatMap((name) => spellingsOf(`${site.basePath}/content/${name}`.slice(1))).map(
    (path): Trial => ({
      host: title,
      request: path,
      hold: async (compare) => {
        const { status, body } = await ask({ path });
        compare('status', status >= 400 && status < 500 ? '4xx' : status, '4xx');
        compare('body', /Settings|"posts":\[\]/.test(body.toString()), false);
      },
    }),
  );

describe.each(SERVERS)('$name', ({ name, reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts(
      MODES.map(({ mode, basePath }) => ({
        title: mode,
        basePath,
        start: async (site, companion) => {
          const { port } = await companion();
          const hostSite = listSiteQueries(otherQueriesOf(mode, port));
          const server = await start(site, { hostSite, name: mode.replace(' ', '-') });
          return { ...server, mode: mode as Mode, companion: askAt(port) };
        },
      })),
      buildListSite,
    );

    test('default lists and records', () => holdAll(hosts().flatMap(listTrials)));

    test('what is nobody’s is sent in no spelling', () => holdAll(hosts().flatMap(closedTrials)));

    test('queries of consumers that are passed on', () =>
      holdAll(
        hosts()
          .filter(({ mode }) => mode === 'pass on')
          .flatMap((host) =>
            queryTrials(host, host.companion, { paths: pathsOf(name), encodes: true }),
          ),
      ));
  });
});
