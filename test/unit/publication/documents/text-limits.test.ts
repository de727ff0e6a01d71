// The limits of a row say the same at saving, at importing and at rendering: what one takes, all take.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODY_BYTES_MAX, BODY_DEPTH_MAX, TEXT_BYTES_MAX } from '../../../../src/base/limits.ts';
import { findTextFault } from '../../../../src/publication/documents/html/text-limits.ts';
import { createRenderer } from '../../../../src/publication/documents/renderer.ts';
import type { PostRow } from '../../../../src/publication/tables/rows.ts';
import { readBody } from '../../../../src/serve/editor/post-html.ts';
import { createAuthor, createSource, createTag, SITE_URL } from './sources.ts';

const renderer = createRenderer({
  siteUrl: SITE_URL,
  timezone: 'Europe/Berlin',
  outboundLinkTagging: true,
  permalinks: '/{slug}/',
});

type Fault = { readonly field: string; readonly reason: string };

/** The faults that rendering names; none when the row is rendered. */
const renderFaults = (render: () => unknown): Fault[] => {
  try {
    render();
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'BUILD_INPUT_INVALID' });
    const { details } = error as { readonly details: readonly Fault[] };
    return details.map(({ field, reason }) => ({ field, reason }));
  }
};

const renderPost = (changes: Partial<PostRow>): Fault[] =>
  renderFaults(() => renderer.post(createSource(changes)));

const saveFault = async (html: string): Promise<string | null> => {
  try {
    await readBody({ html }, { sourceHtml: true, site: { siteUrl: SITE_URL } });
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION', property: 'html' });
    return (error as Error).message;
  }
};

describe('the depth of elements', () => {
  const deep = (levels: number): string => `${'<div>'.repeat(levels)}a${'</div>'.repeat(levels)}`;
  const tooDeep = `has elements nested more than ${BODY_DEPTH_MAX} deep`;

  it('is the same limit everywhere', async () => {
    for (const html of [deep(BODY_DEPTH_MAX), deep(BODY_DEPTH_MAX + 1)]) {
      const fault = html.length > deep(BODY_DEPTH_MAX).length ? tooDeep : null;
      expect(findTextFault('html', html)).toBe(fault);
      expect(await saveFault(html)).toBe(fault === null ? null : `html ${fault}.`);
      const faults = fault === null ? [] : [{ field: 'html', reason: fault }];
      for (const plaintext of ['a', null]) {
        expect(renderPost({ html, plaintext })).toEqual(faults);
        expect(renderPost({ html: Buffer.from(html), plaintext })).toEqual(faults);
        expect(renderPost({ html, plaintext, visibility: 'paid' })).toEqual(faults);
      }
    }
  });

  it.each([
    ['paragraphs without an end', '<p>a'],
    ['items without an end', '<li>a'],
    ['void elements', '<img><br><input>'],
    ['closed elements', '<div><b>a</b></div>'],
    ['tags in comments', '<!--<b>-->'],
    ['tags in scripts', '<script>"<b>"</script>'],
    ['closed foreign elements', '<svg><path/></svg>'],
    ['cells', '<table><tr><td>a<td>b<tr><th>c</table>'],
  ])('does not grow by %s', (_, piece) => {
    expect(findTextFault('html', piece.repeat(5_000))).toBeNull();
  });

  it('is measured without a stack', () => {
    expect(findTextFault('html', '<i>'.repeat(100_000))).toBe(tooDeep);
  });

  it('lets nothing be saved that is not rendered', async () => {
    const pieces = fc.array(
      fc.constantFrom(
        ...['<div>', '</div>', '<p>', '<b>', '</b>', '<br>', '<li>', '<ul>', '</ul>', '<svg/>'],
        'é',
        ...['<x\u00c9>', '</x\u00e9>', '<!--', '-->', '<script>', '</script>', '<a href="/x">'],
        '"',
      ),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 400, max: 1_500 }), async (parts, times) => {
        const html = parts.join('').repeat(times);
        const { html: stored } =
          (await readBody({ html }, { sourceHtml: true, site: { siteUrl: SITE_URL } }).catch(
            () => null,
          )) ?? {};
        if (typeof stored !== 'string') return;
        expect(renderPost({ html: Buffer.from(stored), plaintext: null })).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the length of a text', () => {
  const long = 'a'.repeat(TEXT_BYTES_MAX);

  it('is counted in UTF-8', () => {
    expect(findTextFault('title', long)).toBeNull();
    expect(findTextFault('title', `${long}a`)).toBe(
      `is ${TEXT_BYTES_MAX + 1} bytes long, more than the ${TEXT_BYTES_MAX} allowed`,
    );
    expect(findTextFault('title', 'é'.repeat(TEXT_BYTES_MAX / 2 + 1))).toMatch(/bytes long/);
    expect(findTextFault('lexical', `${long}a`)).toBeNull();
  });

  it('of a row that is rendered is held to the limits', () => {
    const reason = `is ${TEXT_BYTES_MAX + 1} bytes long, more than the ${TEXT_BYTES_MAX} allowed`;
    expect(renderPost({ title: long })).toEqual([]);
    expect(renderPost({ title: `${long}a`, created_at: 'x' })).toEqual([
      { field: 'title', reason },
      { field: 'created_at', reason: 'is not a time that can be read' },
    ]);
    const tag = createTag({ description: `${long}a` });
    expect(renderFaults(() => renderer.tag({ tag, posts: 1 }))).toEqual([
      { field: 'description', reason },
    ]);
    const author = createAuthor({ bio: `${long}a` });
    expect(renderFaults(() => renderer.author({ author, posts: 1 }))).toEqual([
      { field: 'bio', reason },
    ]);
    const html = Buffer.alloc(BODY_BYTES_MAX + 1, 'a');
    expect(renderPost({ html })).toMatchObject([{ field: 'html' }]);
  });
});
