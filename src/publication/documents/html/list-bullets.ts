// What stands before the items of a list in plain text: bullets, or numbers in the form that the list names.

const BULLET = ' * ';
const LETTERS = 26;
const LETTER_BEFORE_A = 0x60;
const ROMAN_MAX = 3_999;
const ROMAN: readonly (readonly [text: string, value: number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
];

export type NextBullet = () => string;

export const bullets: NextBullet = () => BULLET;

export const createNumbers = (start = '1', type = '1'): NextBullet => {
  let number = Number(start || '1');
  return () => {
    const text = numberText(number, type);
    number += 1;
    return ` ${text}. `;
  };
};

/** A number that letters or Roman digits cannot spell is written in digits. */
const numberText = (number: number, type: string): string => {
  const isCount = Number.isSafeInteger(number) && number > 0;
  if (isCount && (type === 'a' || type === 'A')) return inCase(letters(number), type);
  if (isCount && number <= ROMAN_MAX && (type === 'i' || type === 'I')) {
    return inCase(roman(number), type);
  }
  return String(number);
};

const inCase = (text: string, type: string): string => (type < 'a' ? text.toUpperCase() : text);

const letters = (number: number): string => {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / LETTERS)) {
    text = String.fromCharCode(LETTER_BEFORE_A + 1 + ((rest - 1) % LETTERS)) + text;
  }
  return text;
};

const roman = (number: number): string => {
  let text = '';
  let rest = number;
  for (const [digits, value] of ROMAN) {
    for (; rest >= value; rest -= value) text += digits;
  }
  return text;
};
