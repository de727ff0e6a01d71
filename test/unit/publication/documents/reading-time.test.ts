// Minutes of reading, held against the definition of the words and images that count (facts 1.1).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readingTime as readingTimeOf } from '../../../../src/publication/documents/html/reading-time.ts';

const readingTime = (html: string, hasFeatureImage: boolean): number =>
  readingTimeOf(Buffer.from(html), hasFeatureImage);

const words = (count: number, word = 'word'): string => `<p>${`${word} `.repeat(count)}</p>`;

describe('readingTime', () => {
  it.each([
    ['an empty body', '', true, 0],
    ['137 words', words(137), false, 0],
    ['138 words', words(138), false, 1],
    ['412 words', words(412), false, 1],
    ['413 words', words(413), false, 2],
    ['words of all Latin letters', words(138, 'Größe_1'), false, 1],
    ['Greek and Cyrillic words', words(69, 'λόγος слово'), false, 1],
    ['each sign of a run that starts with one', `<p>${'字'.repeat(138)}</p>`, false, 1],
    ['each Korean syllable', `<p>${'한'.repeat(137)}</p>`, false, 0],
    ['Arabic words on their own', words(138, 'سلام'), false, 1],
    ['Hebrew words on their own', words(138, 'שלום'), false, 1],
    ['no Arabic words beside others', `${words(138, 'سلام')}<p>one</p>`, false, 0],
    ['no attribute words', `<p title="${'word '.repeat(300)} > ">x</p>`, false, 0],
    ['two images', `${words(34)}<img src="a"><img src='b'>`, false, 1],
    ['the feature image first', `${words(34)}<img src="a">`, true, 1],
    ['one image less', `${words(34)}<img src="a">`, false, 0],
    ['images at three seconds at least', '<img src="a">'.repeat(20), false, 2],
    ['words after a lone bracket', `<p>1 < 2 and it's ${'word '.repeat(140)}`, false, 1],
  ])('counts %s', (_, html, hasFeatureImage, minutes) => {
    expect(readingTime(html, hasFeatureImage)).toBe(minutes);
  });

  it('equals the definition on any mixture', () => {
    const piece = fc.oneof(
      fc.constantFrom('<p>', '</p>', '<b a="x>y">', '<', '>', '"', "'", '<img src="a">', '<img>'),
      fc.constantFrom(
        ...[
          ' word',
          'ß',
          '字字',
          'かな字',
          'سلام ',
          'שלום',
          '한국어',
          '—',
          '\n',
          '<>',
          '🚀',
          '𠀀字',
        ],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, hasImage) => {
        const html = pieces.join('').repeat(60);
        expect(readingTime(html, hasImage)).toBe(defined(html, hasImage));
      }),
      { numRuns: 200 },
    );
  });
});

/** The definition of facts 1.1, written with patterns that are too slow for a build. */
const defined = (html: string, hasFeatureImage: boolean): number => {
  if (html === '') return 0;
  const text = html.replace(/<("[^"]*"|'[^']*'|[^'">])+\/?>/g, ' ');
  const runs =
    text.match(
      /[a-zA-ZÀ-ÿ0-9_Β-ωА-ӹ]+|[一-\u9fff㐀-\u4dbf\uf900-\ufaff\u3040-\u309f가-\ud7af]+/g,
    ) ??
    text.match(/[\u0600-\u06ff]+|[\u0591-\u05f4]+/g) ??
    [];
  let seconds = 0;
  for (const run of runs) seconds += (run.charCodeAt(0) >= 0x4e00 ? run.length : 1) * (60 / 275);
  const images = html.match(/<img("[^"]*"|'[^']*'|[^'">])+\/?>/g)?.length ?? 0;
  for (let image = 0; image < images + (hasFeatureImage ? 1 : 0); image += 1) {
    seconds += Math.max(12 - image, 3);
  }
  return Math.round(seconds / 60);
};
