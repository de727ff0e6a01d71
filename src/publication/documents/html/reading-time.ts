// Minutes that a body takes to read: words at 275 a minute, and twelve seconds for the first image,
// one fewer for each further one down to three (facts 1.1). One pass over the text, no backtracking.
import { CHARACTER_KINDS, LOGOGRAM, OTHER, TAG_START, WORD } from './character-kinds.ts';
import { createTagEndFinder } from './tag-end.ts';

const WORDS_PER_MINUTE = 275;
const FIRST_IMAGE_SECONDS = 12;
const IMAGE_SECONDS_MIN = 3;
const IMAGE = Buffer.from('<img');
const FIRST_LOGOGRAM_COUNTED_EACH = 0x4e00;
/** First bytes of characters that UTF-8 spells in two, three and four. */
const FIRST_LEAD = 0xc0;
const FIRST_LEAD_OF_THREE = 0xe0;
const FIRST_LEAD_OF_FOUR = 0xf0;
/** What a further byte holds of its character. */
const CONTINUED = 0x3f;

/** A whole number of minutes, 0 for an empty body. `html` is the UTF-8 of the full body, before gating. */
export const readingTime = (html: Buffer, hasFeatureImage: boolean): number => {
  if (html.length === 0) return 0;
  let seconds = (countWords(html) * 60) / WORDS_PER_MINUTE;
  const images = countImages(html) + (hasFeatureImage ? 1 : 0);
  for (let image = 0; image < images; image += 1) {
    seconds += Math.max(FIRST_IMAGE_SECONDS - image, IMAGE_SECONDS_MIN);
  }
  return Math.round(seconds / 60);
};

// A run of letters is one word; in a run that starts with a logogram each character is one. Arabic and
// Hebrew runs count only where there is nothing else, as they do for Ghost's readers.
const countWords = (html: Uint8Array): number => {
  const tagEnds = createTagEndFinder(html);
  let noTagBefore = 0;
  const { length } = html;
  let words = 0;
  let rightToLeftWords = 0;
  /** 1 inside a run of letters. */
  let inWord = 0;
  let run = OTHER;
  let isCountedEach = false;
  for (let at = 0; at < length; at += 1) {
    let code = html[at] ?? 0;
    if (code >= FIRST_LEAD) {
      // Two or three bytes, of which the first tells the number; four make a character that is no word.
      const second = (html[at + 1] ?? 0) & CONTINUED;
      if (code < FIRST_LEAD_OF_THREE) {
        code = ((code & 0x1f) << 6) | second;
        at += 1;
      } else if (code < FIRST_LEAD_OF_FOUR) {
        code = ((code & 0x0f) << 12) | (second << 6) | ((html[at + 2] ?? 0) & CONTINUED);
        at += 2;
      } else {
        code = 0;
        at += 3;
      }
    }
    const kind = CHARACTER_KINDS[code] ?? OTHER;
    if (kind <= WORD) {
      // Most of a body is letters and what is between them: no branch that a processor would have to guess.
      words += kind & (inWord ^ 1);
      inWord = kind;
      run = OTHER;
      continue;
    }
    inWord = 0;
    if (kind === TAG_START) {
      run = OTHER;
      if (at < noTagBefore) continue;
      const tagEnd = tagEnds.find(at);
      if (tagEnd !== -1) at = tagEnd;
      else noTagBefore = tagEnds.vainBefore();
    } else if (kind !== run) {
      run = kind;
      isCountedEach = kind === LOGOGRAM && code >= FIRST_LOGOGRAM_COUNTED_EACH;
      if (kind === LOGOGRAM) words += 1;
      else rightToLeftWords += 1;
    } else if (isCountedEach) words += 1;
  }
  return words === 0 ? rightToLeftWords : words;
};

const countImages = (html: Buffer): number => {
  let at = html.indexOf(IMAGE);
  if (at === -1) return 0;
  const tagEnds = createTagEndFinder(html);
  let images = 0;
  while (at !== -1) {
    const tagEnd = tagEnds.find(at);
    const isImage = tagEnd > at + IMAGE.length;
    if (isImage) images += 1;
    // What stands within the tag is no tag of its own.
    at = html.indexOf(IMAGE, isImage ? tagEnd : at + IMAGE.length);
  }
  return images;
};
