import { expect, test } from 'vitest';
import {
  type PrepressOptions,
  throwIfUnknown,
} from '../../../../src/pages/eleventy/plugin-options.ts';

test.each([
  [
    { output: 'site' },
    'has no option "output". It is a setting: write { settings: { "output": ... } }.',
  ],
  [{ placePages: true }, 'has no option "placePages". Did you mean placesPages?'],
  [
    { colour: 1 },
    'has no option "colour". Its options are settings, configFile, placesPages, from, contentKey.',
  ],
])('%j is refused', (options, sentence) => {
  expect(() => throwIfUnknown(options as PrepressOptions)).toThrow(sentence);
});

test('all its own options are taken', () => {
  throwIfUnknown({ settings: { output: 'site' }, configFile: 'a.json', placesPages: true });
});
