// Declared queries on hosts that run no code: answered as the companion server answers them, to the byte; what their rules take
// for the same is held in test/property/declared-rules.test.ts.
import { expect } from 'vitest';
import { UNDECLARED_BODY } from '../../src/hosts/undeclared.ts';
import { otherTrials, pagesTrials, type Query, type RuleHost, sameTrial } from './check-lists.ts';
import { ONE_PAGE, UNICODE_TAG } from './declared-site.ts';
import type { Trial } from './trials.ts';

const DECLARED: readonly Query[] = [
  ['posts', 'key=0123&limit=2&filter=tag%3Anews&include=authors%2Ctags'],
  ['posts', 'page=4&limit=2&filter=tag:+news&include=authors,tags'],
  ['posts', `filter=tag:${encodeURIComponent(UNICODE_TAG)}&limit=2&include=tags,authors`],
  [
    'posts',
    `filter=tag%3A${encodeURIComponent(UNICODE_TAG).toLowerCase()}&limit=2&include=tags,authors`,
  ],
  ['posts', 'page=2&fields=slug%2C%20title&filter=author%3Aauthor-1%20%2B%20featured%3Afalse'],
  ['posts', 'fields=slug&filter=+title:+%27Post%201%27+'],
];

const UNKNOWN: Query = ['posts', 'filter=tag:none&limit=2&include=tags,authors'];

const NOT_DECLARED: readonly Query[] = [
  ['posts', 'filter=tag:-news&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:news&filter=featured:true&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:news&limit=2&include=tags'],
  ['pages', 'filter=tag:news&limit=2&include=tags,authors'],
];

type DeclaredOptions = {
  /** What it says of a slug that nobody has: not every host can look for a file. */
  readonly unknownStatus?: 200 | 404;
};

export const declaredTrials = (
  host: RuleHost,
  { unknownStatus = 200 }: DeclaredOptions = {},
): Trial[] =>
  host.mode === 'ignore'
    ? pagesTrials(host, 5, ['filter=tag:news&limit=2&include=tags,authors'])
    : [
        ...DECLARED.map((query) => sameTrial(host, query)),
        unknownStatus === 200 ? sameTrial(host, UNKNOWN) : absentTrial(host),
        ...NOT_DECLARED.flatMap((query) => otherTrials(host, { query })),
        ...pagesTrials(host, 5, ['filter=tag:news&limit=2&include=tags,authors']),
        onePageTrial(host),
      ];

/** Answered by no other list. */
const absentTrial = ({ title, site, ask, companion }: RuleHost): Trial => ({
  host: title,
  request: UNKNOWN.join('/?'),
  hold: async (compare) => {
    const path = `${site.basePath}/content/${UNKNOWN.join('/?')}`;
    const { status, body } = await ask({ path });
    if (body.toString() === (await companion({ path })).body.toString()) return;
    compare('status', status, expect.toBeOneOf([400, 404, 422]));
  },
});

/** Pages of a query of which one is a file end, or the next one is refused with what to do. */
const onePageTrial = ({ title, site, ask }: RuleHost): Trial => ({
  host: title,
  request: `posts/?${ONE_PAGE}, page by page`,
  hold: async (compare) => {
    for (let page: number | null = 1; page !== null; ) {
      compare('page', page < 20, true);
      const path = `${site.basePath}/content/posts/?${ONE_PAGE}&page=${page}`;
      const { status, body } = await ask({ path });
      if (status !== 200) {
        compare('status', status, 400);
        compare('body', body.toString(), UNDECLARED_BODY);
        return;
      }
      page = JSON.parse(body.toString()).meta.pagination.next;
    }
  },
});
