// Which links are tagged, where the parameter goes, and that nothing else of the body changes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readByteText, toByteText } from '../../../../src/publication/documents/html/byte-text.ts';
import { createOutboundLinkTagger } from '../../../../src/publication/documents/html/outbound-links.ts';

const tagBytes = createOutboundLinkTagger('https://www.press.test:8080/blog');
const tag = (html: string): string => readByteText(tagBytes(toByteText(html)));
const REF = 'ref=press.test';

describe('createOutboundLinkTagger', () => {
  it.each([
    ['a bare host', 'https://ext.test', `https://ext.test/?${REF}`],
    ['a path', 'http://ext.test/a', `http://ext.test/a?${REF}`],
    ['a query', 'https://ext.test/x?y=1', `https://ext.test/x?y=1&${REF}`],
    ['an escaped query', 'https://e.test/?a=1&amp;b=2', `https://e.test/?a=1&amp;b=2&${REF}`],
    ['an empty query', 'https://ext.test/?', `https://ext.test/?${REF}`],
    ['a fragment', 'https://ext.test/a#x?y', `https://ext.test/a?${REF}#x?y`],
    ['a host and fragment', 'https://ext.test#x', `https://ext.test/?${REF}#x`],
    ['query and fragment', 'https://e.test/?a=1#x', `https://e.test/?a=1&${REF}#x`],
    ['a number for it', 'https://e.test/?a=1&#38;b=2#x', `https://e.test/?a=1&#38;b=2&${REF}#x`],
    ['capitals', 'HTTPS://EXT.test/A', `HTTPS://EXT.test/A?${REF}`],
    ['spaces around', ' https://ext.test/a ', ` https://ext.test/a?${REF} `],
    ['a port', 'https://ext.test:81/', `https://ext.test:81/?${REF}`],
    ['an unusual host', 'https://größe.test/ä', `https://größe.test/ä?${REF}`],
    ['a name that only starts alike', 'https://e.test/?refer=1', `https://e.test/?refer=1&${REF}`],
    ['a lookalike of an exempt one', 'https://notsubstack.com/', `https://notsubstack.com/?${REF}`],
    ['the own host at another port', 'https://www.press.test/', `https://www.press.test/?${REF}`],
  ])('tags %s', (_, href, expected) => {
    expect(tag(`<a href="${href}">x</a>`)).toBe(`<a href="${expected}">x</a>`);
  });

  it.each([
    ...['https://www.press.test:8080/blog/a/', 'HTTPS://WWW.PRESS.TEST:8080/', '/a/', '#h', 'rel'],
    ...['//ext.test/a', 'mailto:a@b.test', 'javascript:location="https://ext.test/"'],
    ...['https://ext.test/?ref=foo', 'https://ext.test/?a=1&ref=foo'],
    ...['https://ext.test/?a=1&amp;utm_source=foo', 'https://ext.test/?source#x'],
    ...['https://facebook.com/x', 'https://www.facebook.com/x', 'https://archive.org/'],
    ...['https://web.archive.org/web/1/https://ext.test/', 'https://www.federalreserve.gov/'],
    ...['https://www.chicagomag.com/', 'https://www.bailii.org/', 'https://ad.doubleclick.net/x'],
    ...['https://me.substack.com/p/x', 'https://', 'https://[', ''],
  ])('leaves %j as it is', (href) => {
    expect(tag(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`);
  });

  it.each([
    ["<a href='https://e.test/'>", `<a href='https://e.test/?${REF}'>`],
    ['<a href=https://e.test/>', `<a href=https://e.test/?${REF}>`],
    ['<A CLASS=x HREF = "https://e.test/">', `<A CLASS=x HREF = "https://e.test/?${REF}">`],
    ['<a\n\thref="https://e.test/">', `<a\n\thref="https://e.test/?${REF}">`],
    ['<a title="a > b" href="https://e.test/">', `<a title="a > b" href="https://e.test/?${REF}">`],
    ['<a title=it\'s href="https://e.test/">', `<a title=it's href="https://e.test/?${REF}">`],
    ['<a download href="https://e.test/"/>', `<a download href="https://e.test/?${REF}"/>`],
    ['<p><1<a href="https://e.test/">', `<p><1<a href="https://e.test/?${REF}">`],
    ['<!----><a href="https://e.test/">', `<!----><a href="https://e.test/?${REF}">`],
    ['<!--><a href="https://e.test/">', `<!--><a href="https://e.test/?${REF}">`],
    [
      '<script>"<a href=https://e.test/>"</SCRIPT ><a href="https://e.test/">',
      `<script>"<a href=https://e.test/>"</SCRIPT ><a href="https://e.test/?${REF}">`,
    ],
    [
      '<a href="https://e.test/" href="https://f.test/">',
      `<a href="https://e.test/?${REF}" href="https://f.test/">`,
    ],
  ])('reads the tag %s', (html, expected) => {
    expect(tag(html)).toBe(expected);
  });

  it.each([
    ...['<!-- <a href="https://e.test/">x</a> -->', '<!-- <a href="https://e.test/">x</a>'],
    '<!-- > <a href="https://e.test/">x</a> -->',
    '<script>x = \'<a href="https://e.test/">\'</script>',
    '<style><a href="https://e.test/"></style>',
    '<textarea><a href="https://e.test/"></textarea>',
    ...['<div data-x=\'<a href="https://e.test/">\'></div>', '<abbr href="https://e.test/">'],
    '<link href="https://e.test/">',
    ...['<a data-href="https://e.test/" xlink:href="https://e.test/">', '<a href="https://e.test/'],
    ...['<a href="https://e.test/"', '&lt;a href="https://e.test/"&gt;'],
  ])('finds no link in %s', (html) => {
    expect(tag(html)).toBe(html);
  });

  it('tags every link of a body once, and only inserts', () => {
    const piece = fc.constantFrom(
      '<a href="https://e.test/a?b=1#c">x</a>',
      '<p class="a">text > text</p>',
      "<a href='/own/'>y</a>",
      '<!-- c -->',
      'plain & text',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const html = pieces.join('');
        const tagged = tag(html);
        expect(tagged.split(`&${REF}`).join('')).toBe(html);
        const links = html.split('https://e.test/').length - 1;
        expect(tagged.split(`&${REF}#c`).length - 1).toBe(links);
        expect(tag(tagged)).toBe(tagged);
      }),
    );
  });
});
