// A new post whose first save got no answer is found again by its title and its text, and by nothing less.
import { afterEach, expect, test, vi } from 'vitest';
import type { Api } from '../../../../src/serve/desk/api.ts';
import {
  type AnyPost,
  type Body,
  EMPTY,
} from '../../../../src/serve/desk/views/posts/writing/post-draft.ts';

const documentOf = (text: string): string =>
  JSON.stringify({ root: { children: [{ children: [{ text }] }] } });

const SENT = { lexical: documentOf('/a.png') };
const SPELLED = {
  html: '<p>https://a.test/a.png</p>',
  lexical: documentOf('https://a.test/a.png'),
};
const STORED = { id: 'a', title: 'Tide', ...SPELLED } as AnyPost;

/** What is found by a server that has these drafts, and what it was asked. */
const find = async (
  listed: readonly AnyPost[],
  { title = ' Tide ', body = SENT }: { title?: string; body?: Body } = {},
) => {
  vi.stubGlobal('location', { href: 'https://desk.test/desk/' });
  vi.useFakeTimers({ toFake: ['Date'], now: 100_000 });
  const { findFirstSave } = await import(
    '../../../../src/serve/desk/views/posts/writing/first-save.ts'
  );
  const get = vi.fn(async () => ({ posts: listed }));
  const send = vi.fn(async () => ({ bodies: [SPELLED] }));
  const sent = { draft: { ...EMPTY, title }, body, atMs: 70_000 };
  const found = await findFirstSave({ get, send } as unknown as Api, 'posts', sent);
  return { id: found?.id ?? null, get, send };
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a draft created since with the title and the text as the server spells it is found', async () => {
  const { id, get, send } = await find([{ ...STORED, id: 'b', lexical: '{}' }, STORED]);
  expect(id).toBe('a');
  const query = { filter: 'status:draft+created_at:>=now-90s', order: 'created_at asc' };
  expect(get).toHaveBeenCalledWith('/posts/', expect.objectContaining(query));
  expect(send).toHaveBeenCalledWith('POST', '/bodies/', { bodies: [SENT] });
  const html = await find([{ ...STORED, lexical: null }], { body: { html: '<p>/a.png</p>' } });
  expect(html.id).toBe('a');
});

const TEXTLESS = { html: null, lexical: null };

test('one with a title alone is found where the draft has no text either', async () => {
  const textless = { ...STORED, ...TEXTLESS, id: 'b' };
  for (const body of [null, { lexical: documentOf(' ') }])
    expect((await find([STORED, textless], { body })).id).toBe('b');
});

test('none is found with another title or another text, or without either', async () => {
  const untitled = { ...STORED, title: '(Untitled)' };
  const found = [
    await find([]),
    await find([untitled]),
    await find([{ ...STORED, lexical: SENT.lexical }]),
    await find([STORED], { body: null }),
    await find([{ ...untitled, ...TEXTLESS }], { title: '', body: null }),
    await find([untitled], { title: '', body: { lexical: documentOf(' ') } }),
    await find([untitled], { title: '', body: { html: '<p></p>' } }),
  ];
  expect(found.map(({ id }) => id)).toEqual(found.map(() => null));
  expect((await find([untitled], { title: '' })).id).toBe('a');
});
