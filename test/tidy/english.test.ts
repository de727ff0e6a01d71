// Plain English in what users read: nine sentences of ten have fewer than 25 words, and phrases that need a second reading
// are not used. Specifications and facts that were written elsewhere are left out.
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/base/errors.ts';
import { SETTING_NAMES, SETTINGS } from '../../src/settings/settings.ts';
import { listCommands } from '../helpers/list-commands.ts';
import { listPages, listRoomPages } from '../helpers/list-pages.ts';
import { readText } from './source-files.ts';

const WORDS_BELOW = 25;
const ELSEWHERE = ['docs/interface.md', 'docs/decisions.md', 'docs/ghost-facts.md'];

const BANNED: readonly RegExp[] = [
  /\bis told of\b/i,
  /\bis heard of\b/i,
  /\bto whom takes\b/i,
  /\bmakes way\b/i,
  /\bis forgotten\b/i,
  /\bwhat it is that\b/i,
  /\bnothing at all\b/i,
  /\bto whom\b/i,
  /\bof now\b/i,
  /\bis spared\b/i,
  /\bthat many\b/i,
  /\bhas it that\b/i,
];

/** Sentences of Markdown: without blocks, tables, headings and code. */
const sentencesOf = (markdown: string): string[] =>
  markdown
    .replace(/^ *```[\s\S]*?^ *```$/gm, '\n\n')
    .replace(/^(?:\||#).*$/gm, '\n')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.)\s/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/[.!?:;](?:["”)*]*)(?: |$)/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{2}/u.test(sentence));

const wordsOf = (sentence: string): number => sentence.split(' ').length;

/** The number of words that nine sentences of ten stay within. */
const ninthTenth = (sentences: readonly string[]): number => {
  const lengths = sentences.map(wordsOf).sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length * 0.9)] ?? 0;
};

const banned = (text: string): string[] =>
  BANNED.flatMap((phrase) => phrase.exec(text)?.slice(0, 1) ?? []);

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  ...listRoomPages(),
  ...listPages(),
]
  .filter((path) => !ELSEWHERE.includes(path))
  .map((path) => [path, readText(path)] as const);

test.each(documents)('%s has short sentences and no banned phrase', (_, text) => {
  const sentences = sentencesOf(text);
  expect(
    ninthTenth(sentences),
    sentences.filter((one) => wordsOf(one) >= 25).join('\n'),
  ).toBeLessThan(WORDS_BELOW);
  expect(banned(text.replace(/^ *```[\s\S]*?^ *```$/gm, ''))).toEqual([]);
});

const messages = [
  ...Object.values(ERRORS).flatMap(({ meaning, hint }) => [meaning, hint]),
  ...listCommands().flatMap(({ spec }) => [
    spec.help,
    ...[...(spec.options ?? []), ...(spec.required ?? [])].map(([, text]) => text),
  ]),
  ...SETTING_NAMES.map((name) => SETTINGS[name].help),
].filter((text) => text !== '');

test('messages, hints and help have short sentences and no banned phrase', () => {
  expect(messages.length).toBeGreaterThan(150);
  const sentences = messages.flatMap(sentencesOf);
  expect(ninthTenth(sentences)).toBeLessThan(WORDS_BELOW);
  expect(messages.flatMap(banned)).toEqual([]);
});

test('a long sentence and a banned phrase are noticed', () => {
  const long = `${'word '.repeat(30)}end.`;
  expect(ninthTenth(sentencesOf(`${long}\n\nShort one.`))).toBe(31);
  expect(banned('A host makes way for another.')).toEqual(['makes way']);
});
