// Plain text of a body, and excerpts that never end in half a character.
import { describe, expect, it } from 'vitest';
import { cutExcerpt, toPlaintext } from '../../../src/documents/plaintext.ts';

describe('toPlaintext', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['<p>a</p><h2>b</h2><p>c</p>', 'a\n\n\nb\n\nc'],
    ['<ul><li>a</li><li>b</li></ul>', ' * a\n * b'],
    ['<ol><li>a</li></ol>', ' 1. a'],
    ['a<br>b', 'a\nb'],
    ['<p><a href="https://e.test">link</a></p>', 'link'],
    ['<p>a</p><img alt="b"><hr><figcaption>c</figcaption><script>d</script><!-- e -->', 'a'],
    ['<blockquote>a</blockquote>', 'a'],
    ['<p>a&nbsp;&amp;</p>', 'a\u00a0&'],
  ])('reads %s', (html, text) => {
    expect(toPlaintext(html)).toBe(text);
  });
});

describe('cutExcerpt', () => {
  it.each([
    ['a shorter text', 'a'.repeat(499), 499],
    ['a text of 500 units', 'a'.repeat(500), 500],
    ['a longer text', 'a'.repeat(501), 500],
    ['a pair that ends at the cut', `${'a'.repeat(498)}😀b`, 500],
    ['a pair across the cut', `${'a'.repeat(499)}😀`, 499],
  ])('cuts %s', (_, text, units) => {
    expect(cutExcerpt(text)).toBe(text.slice(0, units));
  });
});
