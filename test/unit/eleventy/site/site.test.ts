// Which pages a run renders: those that the records, the settings or the templates have touched since pages were last placed,
// and all that a run which failed did not place.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PlannedSite, planSite } from '../../../../src/eleventy/site/site.ts';
import type { SiteRecords } from '../../../../src/eleventy/site/site-records.ts';
import {
  siteAuthor,
  sitePost,
  siteRecords,
  siteSettings,
  siteTag,
} from '../../../helpers/site-records.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const tides = siteTag('tides');
const salt = siteTag('salt');
const ada = siteAuthor('ada');

/** Two posts of one author, each with a tag. */
const recordsWith = (changed: Parameters<typeof sitePost>[1] = {}): SiteRecords =>
  siteRecords({
    posts: [
      sitePost('one', { tags: [tides], authors: [ada], ...changed }),
      sitePost('two', { tags: [salt], authors: [ada] }),
    ],
    tags: [tides, salt],
    authors: [ada],
  });

type Given = { readonly stamp?: string; readonly isThere?: (page: string) => boolean };

const plannerIn =
  (folder: string) =>
  (records: SiteRecords, given: Given = {}): PlannedSite =>
    planSite({
      records,
      stamp: given.stamp ?? 'templates',
      state: {
        file: join(folder, 'pages-site.json'),
        isThere: given.isThere ?? (() => true),
        isForced: false,
      },
    });

const filesOf = ({ site }: PlannedSite): string[] =>
  [...site.posts, ...site.lists].map(({ file }) => file).sort();

const ALL = [
  'author/ada/index.html',
  'index.html',
  'one/index.html',
  'tag/salt/index.html',
  'tag/tides/index.html',
  'two/index.html',
];

const placed = (plan: PlannedSite): void => {
  plan.begin();
  plan.end();
};

test('after pages were placed, nothing is rendered until something changes', () => {
  const plan = plannerIn(temporaryFolder());
  const first = plan(recordsWith());
  expect(filesOf(first)).toEqual(ALL);
  placed(first);
  const second = plan(recordsWith());
  expect(filesOf(second)).toEqual([]);
  expect([...second.kept].sort()).toEqual(ALL);
});

test('an edit renders the page of the record and the lists that show what was edited', () => {
  const plan = plannerIn(temporaryFolder());
  placed(plan(recordsWith()));
  const body = plan(recordsWith({ html: '<p>Another body.</p>' }));
  expect(filesOf(body)).toEqual(['one/index.html']);
  const title = plan(recordsWith({ title: 'Other' }));
  // The neighbour names it.
  expect(filesOf(title)).toEqual([
    'author/ada/index.html',
    'index.html',
    'one/index.html',
    'tag/tides/index.html',
    'two/index.html',
  ]);
});

test('other settings, other templates and a lost page are rendered', () => {
  const plan = plannerIn(temporaryFolder());
  placed(plan(recordsWith()));
  const settings = siteSettings({ title: 'Another name' });
  expect(filesOf(plan({ ...recordsWith(), settings }))).toEqual(ALL);
  expect(filesOf(plan(recordsWith(), { stamp: 'other templates' }))).toEqual(ALL);
  const lost = plan(recordsWith(), { isThere: (page) => page !== 'two/index.html' });
  expect(filesOf(lost)).toEqual(['two/index.html']);
});

test('pages of a run that placed nothing, or broke off while it placed, are rendered by the next', () => {
  const plan = plannerIn(temporaryFolder());
  placed(plan(recordsWith()));
  const edited = recordsWith({ html: '<p>Another body.</p>' });
  // A template could not be rendered.
  plan(edited);
  expect(filesOf(plan(edited))).toEqual(['one/index.html']);
  plan(edited).begin();
  // What stands there may be of either run.
  expect(filesOf(plan(edited))).toEqual(['one/index.html']);
  expect(filesOf(plan(recordsWith()))).toEqual(['one/index.html']);
});

test('a feed has no characters that XML cannot hold, and the time of the newest change', () => {
  const { site } = plannerIn(temporaryFolder())(
    recordsWith({ title: 'Bell\u0007', updated_at: '2026-03-01T10:00:00.000+02:00' }),
  );
  expect(site.newest.map(({ title }) => title)).toEqual(['Bell', 'two']);
  expect(site.updated).toBe('2026-03-01T10:00:00.000+02:00');
});
