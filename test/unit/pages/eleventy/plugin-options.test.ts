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
  [
    { from: 5 },
    'The option "from" of the plugin must be an address such as https://example.com, got 5.',
  ],
])('%j is refused', (options, sentence) => {
  expect(() => throwIfUnknown(options as PrepressOptions)).toThrow(sentence);
});

test('all its own options are taken', () => {
  throwIfUnknown({ settings: { output: 'site' }, configFile: 'a.json', placesPages: true });
});
