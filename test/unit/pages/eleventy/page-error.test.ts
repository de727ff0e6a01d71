import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { asEleventyError } from '../../../../src/pages/eleventy/eleventy-error.ts';

const wrap = (message: string, originalError: Error): Error =>
  Object.assign(new Error(message), { originalError });

test('a package that the project has not installed yet is no fault of a template', () => {
  const cause = new Error("Cannot find package 'prepress-content' imported from /a.js");
  expect(asEleventyError(wrap('There was a problem', cause))).toMatchObject({
    code: 'PAGES_INVALID',
    message: `The pages cannot be rendered: There was a problem ${cause.message}`,
    hint: expect.stringContaining('"npm install"'),
  });
  expect(asEleventyError(new Error('Unknown filter'))).toMatchObject({
    hint: expect.stringContaining('Correct the template'),
  });
});

test('an error of the plugin is told as it is', () => {
  const cause = new PrepressError('CONFIG_INVALID', 'The plugin has no option "x".');
  expect(asEleventyError(wrap('Error processing the plugin', cause), 'CONFIG_INVALID')).toBe(cause);
});

test('of the pages of a template one is named', () => {
  const error = wrap(
    'Writing to "a.html", "b.html", "c.html" from "t.njk"',
    new Error('No filter'),
  );
  expect(asEleventyError(error).message).toBe(
    'The pages cannot be rendered: Writing to "a.html" and 2 more from "t.njk" No filter',
  );
});
