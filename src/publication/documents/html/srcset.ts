// Edits the addresses of a `srcset`; all else stays as it is written.
import { trimEndOf } from '../../../base/text/trim-of.ts';

/** An address ends at white space, what describes it at a comma. */
export const editSrcset = (set: string, edit: (url: string) => string): string => {
  let isUrlNext = true;
  const editWord = (word: string): string => {
    const comma = isUrlNext ? -1 : word.indexOf(',');
    if (!isUrlNext && comma === -1) return word;
    const url = trimEndOf(word.slice(comma + 1), ',');
    const end = word.slice(comma + 1 + url.length);
    isUrlNext = url === '' || end !== '';
    return word.slice(0, comma + 1) + edit(url) + end;
  };
  return set
    .split(/(\s+)/)
    .map((word, index) => (index % 2 === 0 && word !== '' ? editWord(word) : word))
    .join('');
};
