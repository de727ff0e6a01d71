// A declared query on hosts that run no code: answered as the companion server answers it, to the byte; what their rules take
// for the same is held in test/property/declared-rules.test.ts.
import { expect } from 'vitest';
import { otherTrials, pagesTrials, type RuleHost, sameTrial } from './check-lists.ts';
import { UNICODE_TAG } from './declared-site.ts';
import type { Trial } from './trials.ts';

const OF_UNICODE = `key=0123&include=authors%2Ctags&filter=tag:${encodeURIComponent(UNICODE_TAG)}`;
const OF_NOBODY = 'filter=tag:none&limit=2&include=tags,authors';

/** `finds`: of a slug that nobody has, it finds that there is no file. Not every host can. */
export const declaredTrials = (host: RuleHost, { finds = false } = {}): Trial[] => {
  const pages = pagesTrials(host, 5, ['filter=tag:news&limit=2&include=tags,authors']);
  if (host.mode === 'ignore') return pages;
  return [
    sameTrial(host, ['posts', `${OF_UNICODE}&limit=2`]),
    finds ? absentTrial(host) : sameTrial(host, ['posts', OF_NOBODY]),
    ...otherTrials(host, { query: ['posts', 'filter=tag:news&limit=2&include=tags'] }),
    ...pages,
  ];
};

/** Answered by no other list. */
const absentTrial = ({ title, site, ask, companion }: RuleHost): Trial => ({
  host: title,
  request: OF_NOBODY,
  hold: async (compare) => {
    const path = `${site.basePath}/content/posts/?${OF_NOBODY}`;
    const { status, body } = await ask({ path });
    if (body.toString() === (await companion({ path })).body.toString()) return;
    compare('status', status, expect.toBeOneOf([400, 404, 422]));
  },
});
