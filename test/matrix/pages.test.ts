// Pages for readers beside the interface on servers with generated rules. What plays another host is asked in the tests of
// that host.
import { describe, test } from 'vitest';
import { holdPages } from './check-pages.ts';
import { startHosts } from './hosts-of-file.ts';
import { SERVERS } from './servers.ts';

describe.each(SERVERS)('$name', ({ name, reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts([
      { title: name, start: (site) => start(site) },
      { title: name, basePath: '/blog', start: (site) => start(site) },
    ]);

    test('pages for readers', () => holdPages(hosts()));
  });
});
