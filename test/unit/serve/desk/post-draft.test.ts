import { describe, expect, test } from 'vitest';
import { visibilitiesFor } from '../../../../src/serve/desk/views/posts/settings/visibilities.ts';
import { conflictWords } from '../../../../src/serve/desk/views/posts/writing/post-conflict-words.ts';
import {
  AHEAD,
  type AnyPost,
  type Body,
  changesOf,
  DATELESS,
  draftOf,
  EMPTY,
  faultOf,
  keptBody,
  keptDraft,
  NOTHING,
  PAST,
  unsavedBody,
} from '../../../../src/serve/desk/views/posts/writing/post-draft.ts';

const postOf = (fields: Partial<AnyPost>): AnyPost =>
  ({
    title: 'Salt',
    slug: 'salt',
    status: 'draft',
    tags: [],
    authors: [],
    visibility: 'public',
    featured: false,
    html: '<p>one</p>',
    lexical: '{"one":1}',
    published_at: null,
    updated_at: '2030-01-02T03:04:05.000Z',
    ...fields,
  }) as AnyPost;

describe('the text that a save has to send', () => {
  const post = postOf({});
  const [one, two] = [{ lexical: '{"one":1}' }, { lexical: '{"two":2}' }];

  test('is none while it is as stored, or as it was saved last', () => {
    expect(unsavedBody({ post, written: null, saved: null })).toBe(null);
    expect(unsavedBody({ post, written: one, saved: null })).toBe(null);
    expect(unsavedBody({ post, written: { lexical: '{"two":2}' }, saved: two })).toBe(null);
  });

  test('is what was written while another text was saved, the text before it included', () => {
    expect(unsavedBody({ post, written: two, saved: { lexical: '{}' } })).toBe(two);
    expect(unsavedBody({ post: postOf({ lexical: '{"two":2}' }), written: one, saved: two })).toBe(
      one,
    );
  });
});

test('of a copy that another version of the desk kept, what fits the form is taken', () => {
  const kept = { title: 'Salt', tags: ['no text'], authors: ['1', 2], tiers: ['3'], gone: true };
  expect(keptDraft(kept)).toEqual({ title: 'Salt', tiers: ['3'] });
  expect([null, 'text', [1]].map(keptDraft)).toEqual([{}, {}, {}]);
  const bodies = [{ lexical: '{}' }, { html: 'x' }, { html: 1 }, 'text', null];
  expect(bodies.map(keptBody)).toEqual([{ lexical: '{}' }, { html: 'x' }, null, null, null]);
});

describe('a changed date', () => {
  const at = '2041-02-03T04:05:00.000Z';

  test('is saved with a scheduled post', () => {
    const post = postOf({ status: 'scheduled', published_at: '2040-01-01T00:00:00.000Z' });
    const changes = changesOf({ post, draft: { ...draftOf(post), at }, body: null });
    expect(changes).toEqual({ published_at: at });
    expect(changesOf({ post, draft: { ...draftOf(post), at: '' }, body: null })).toEqual({});
  });

  test('of a published post has passed', () => {
    const post = postOf({ status: 'published', published_at: '2020-01-01T00:00:00.000Z' });
    const faultAt = (date: string): string | null =>
      faultOf({ post, draft: { ...draftOf(post), at: date }, body: null }, 'published');
    const faults = ['2019-01-01T00:00:00.000Z', at, ''].map(faultAt);
    expect(faults).toEqual([null, AHEAD, DATELESS.published]);
    const ahead = { ...post, published_at: at };
    expect(faultOf({ post: ahead, draft: draftOf(ahead), body: null }, 'published')).toBe(null);
  });

  test('of a schedule is still to come', () => {
    const post = postOf({});
    const faultAt = (date: string): string | null =>
      faultOf({ post, draft: { ...draftOf(post), at: date }, body: null }, 'scheduled');
    expect(['2019-01-01T00:00:00.000Z', at, ''].map(faultAt)).toEqual([PAST, null, null]);
    const late = postOf({ status: 'scheduled', published_at: '2019-01-01T00:00:00.000Z' });
    expect(faultOf({ post: late, draft: draftOf(late), body: null }, 'scheduled')).toBe(null);
  });

  test('is no change of a draft, which is scheduled by its own button', () => {
    const post = postOf({});
    expect(changesOf({ post, draft: { ...draftOf(post), at }, body: null })).toEqual({});
  });
});

describe('a post that was changed elsewhere', () => {
  test('is said to be published by the schedule', () => {
    const known = postOf({ status: 'scheduled', published_at: '2040-01-01T00:00:00.000Z' });
    expect(conflictWords(known, { ...known, status: 'published' }, 'noon')).toBe(
      'The schedule published this while it was open here.',
    );
  });

  test('is said to be changed by others, with what they changed', () => {
    const known = postOf({});
    const newest: AnyPost = { ...known, title: 'Sea', lexical: '{}', status: 'sent' };
    const words = conflictWords(known, newest, 'noon');
    expect(words).toMatch(
      /^This was changed at noon by another person, in another window, or by a/,
    );
    expect(words).toMatch(/ Changed there: title, text, status\.$/);
  });
});

test('texts are sent by their columns, an empty one as null, and authors by their ids', () => {
  const authors = [{ id: 'a1' }, { id: 'a2' }] as AnyPost['authors'];
  const post = postOf({ authors, meta_title: 'Old', codeinjection_head: null });
  const changed = { meta_title: ' ', codeinjection_head: ' <b> ', authors: ['a2', 'a1'] };
  expect(changesOf({ post, draft: { ...draftOf(post), ...changed }, body: null })).toEqual({
    meta_title: null,
    codeinjection_head: ' <b> ',
    authors: [{ id: 'a2' }, { id: 'a1' }],
  });
});

test('html that was emptied is sent as null, because the server ignores an empty text', () => {
  const post = postOf({ html: '<p>a</p>' });
  const sent = (html: string) => changesOf({ post, draft: draftOf(post), body: { html } });
  expect([sent(''), sent('<p>b</p>')]).toEqual([{ html: null }, { html: '<p>b</p>' }]);
});

describe('tags', () => {
  const tag = (id: string, name: string) => ({ id, name }) as AnyPost['tags'][number];

  test('that stand already are sent by their id, several of one name too', () => {
    const post = postOf({ tags: [tag('a1', 'Alpha'), tag('a4', 'Alpha'), tag('b', 'Beta')] });
    const draft = { ...draftOf(post), tags: 'Alpha, New, Alpha, Alpha' };
    expect(changesOf({ post, draft, body: null })).toEqual({
      tags: [{ id: 'a1' }, { name: 'New' }, { id: 'a4' }, { name: 'Alpha' }],
    });
  });
});

describe('who may read a post', () => {
  const tiersOf = (...ids: string[]) => ids.map((id) => ({ id })) as unknown as AnyPost['tiers'];

  test('is chosen among what is known and what is stored', () => {
    const values = (stored: string | null): string[] =>
      visibilitiesFor(stored).map(([value]) => value);
    expect(values('tiers')).toEqual(values(null));
    expect(values('filter')).toEqual([...values(null), 'filter']);
  });

  test('is sent of a new post where it is not what the settings give', () => {
    const blank = { ...EMPTY, visibility: 'members' };
    const sent = (visibility: string) =>
      changesOf({ post: null, draft: { ...blank, visibility }, body: null }, blank);
    expect([sent('members'), sent('public')]).toEqual([{}, { visibility: 'public' }]);
  });

  test('is sent with the tiers where it is some of them', () => {
    const post = postOf({ tiers: tiersOf('t1', 't2') });
    const draft = { ...draftOf(post), visibility: 'tiers', tiers: ['t2'] };
    expect(draftOf(post).tiers).toEqual([]);
    const sent = { visibility: 'tiers', tiers: [{ id: 't2' }] };
    expect(changesOf({ post, draft, body: null })).toEqual(sent);
    const stored = postOf({ visibility: 'tiers', tiers: tiersOf('t2') });
    expect(changesOf({ post: stored, draft, body: null })).toEqual({});
    const left = { ...draft, visibility: 'public', tiers: [] };
    expect(changesOf({ post: stored, draft: left, body: null })).toEqual({ visibility: 'public' });
  });

  test('is not nobody, unless it is a draft', () => {
    const post = postOf({ visibility: 'tiers', tiers: [] });
    const edited = { post, draft: draftOf(post), body: null };
    expect(faultOf(edited, 'published')).toMatch(/choose at least one tier/);
    expect(faultOf(edited, 'draft')).toBe(null);
    const draft = { ...edited.draft, tiers: ['t1'] };
    expect(faultOf({ ...edited, draft }, 'published')).toBe(null);
  });
});

test('a scheduled post is not saved without a date, unless it becomes a draft', () => {
  const post = postOf({ status: 'scheduled', published_at: '2040-01-01T00:00:00.000Z' });
  const edited = { post, draft: { ...draftOf(post), at: '' }, body: null };
  expect(faultOf(edited, 'scheduled')).toMatch(/^A scheduled post needs a date\./);
  expect(faultOf(edited, 'draft')).toBe(null);
  expect(faultOf({ ...edited, draft: draftOf(post) }, 'scheduled')).toBe(null);
  const undated = { ...post, published_at: null };
  expect(faultOf({ ...edited, post: undated }, 'scheduled')).toBe(null);
});

describe('a post with neither a title nor a text', () => {
  const paragraph = (text: string): string =>
    `{"root":{"type":"root","children":[{"type":"paragraph","children":[{"type":"text","text":"${text}"}]}]}}`;
  const CARD = '{"root":{"type":"root","children":[{"type":"image","src":"/a.png"}]}}';
  const fault = (title: string, body: Body, post: AnyPost | null = null): string | null =>
    faultOf({ post, draft: { ...EMPTY, title }, body }, 'published');

  test('is not published, whoever named it "(Untitled)"', () => {
    const empty = [null, { html: '<p><br></p>\n&nbsp;' }, { lexical: paragraph(' ') }];
    const stored = postOf({ html: null, lexical: null });
    for (const body of empty) {
      for (const title of ['', ' ', '(Untitled)']) {
        const named = { title, body, faults: [fault(title, body), fault(title, body, stored)] };
        expect(named).toEqual({ title, body, faults: [NOTHING, NOTHING] });
      }
    }
    expect(fault('', null, postOf({ lexical: paragraph('') }))).toBe(NOTHING);
    expect(faultOf({ post: null, draft: EMPTY, body: null }, 'draft')).toBe(null);
  });

  test('is not saved in place of one that readers have, or wait for', () => {
    for (const status of ['published', 'scheduled'] as const) {
      const post = postOf({ status, html: '<p>a</p>', lexical: null });
      expect(fault('', { html: '' }, post)).toBe(NOTHING);
    }
  });

  test('is none with either of them, and an empty one that readers have can be changed', () => {
    const full = [{ html: '<p>a</p>' }, { html: '<img src="/a.png">' }, { lexical: CARD }];
    for (const body of [...full, { lexical: paragraph('a') }, { lexical: 'no document' }]) {
      expect([body, fault('', body)]).toEqual([body, null]);
    }
    expect(fault('Salt', null)).toBe(null);
    expect(fault('', null, postOf({ html: '<p>a</p>', lexical: null }))).toBe(null);
    const empty = postOf({ title: '(Untitled)', status: 'published', html: '', lexical: null });
    expect(fault('', null, empty)).toBe(null);
  });
});
