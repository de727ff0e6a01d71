// Minutes that a body takes to read: words at 275 a minute, and twelve seconds for the first image,
// one fewer for each further one down to three (facts 1.1). One pass over the text, no backtracking.
import { READING_WORDS_PER_MINUTE } from '../base/limits.ts';
import { CHARACTER_KINDS, LOGOGRAM, OTHER, RIGHT_TO_LEFT_MIN, WORD } from './character-kinds.ts';
import { createTagEndFinder } from './tag-end.ts';

const FIRST_IMAGE_SECONDS = 12;
const IMAGE_SECONDS_MIN = 3;
const LESS_THAN = 0x3c;
const IMAGE = '<img';
const FIRST_LOGOGRAM_COUNTED_EACH = 0x4e00;

/** A whole number of minutes, 0 for an empty body. `html` is the full body, before gating. */
export const readingTime = (html: string, hasFeatureImage: boolean): number => {
  if (html === '') return 0;
  let seconds = (countWords(html) * 60) / READING_WORDS_PER_MINUTE;
  const images = countImages(html) + (hasFeatureImage ? 1 : 0);
  for (let image = 0; image < images; image += 1) {
    seconds += Math.max(FIRST_IMAGE_SECONDS - image, IMAGE_SECONDS_MIN);
  }
  return Math.round(seconds / 60);
};

// A run of letters is one word; in a run that starts with a logogram each character is one. Arabic and
// Hebrew runs count only where there is nothing else, as they do for Ghost's readers.
const countWords = (html: string): number => {
  const findTagEnd = createTagEndFinder(html);
  let words = 0;
  let rightToLeftWords = 0;
  let run = OTHER;
  let isCountedEach = false;
  for (let at = 0; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    const tagEnd = code === LESS_THAN ? findTagEnd(at) : -1;
    if (tagEnd !== -1) {
      at = tagEnd;
      run = OTHER;
      isCountedEach = false;
      continue;
    }
    const kind = CHARACTER_KINDS[code] ?? OTHER;
    if (kind === run) {
      if (isCountedEach) words += 1;
      continue;
    }
    run = kind;
    isCountedEach = kind === LOGOGRAM && code >= FIRST_LOGOGRAM_COUNTED_EACH;
    if (kind === WORD) {
      words += 1;
      // Most of a body is words: the rest of one needs no questions.
      while (CHARACTER_KINDS[html.charCodeAt(at + 1)] === WORD) at += 1;
    } else if (kind === LOGOGRAM) words += 1;
    else if (kind >= RIGHT_TO_LEFT_MIN) rightToLeftWords += 1;
  }
  return words === 0 ? rightToLeftWords : words;
};

const countImages = (html: string): number => {
  let at = html.indexOf(IMAGE);
  if (at === -1) return 0;
  const findTagEnd = createTagEndFinder(html);
  let images = 0;
  while (at !== -1) {
    if (findTagEnd(at) > at + IMAGE.length) images += 1;
    at = html.indexOf(IMAGE, at + IMAGE.length);
  }
  return images;
};
