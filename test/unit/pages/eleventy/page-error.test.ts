import { expect, test } from 'vitest';
import { asPageError } from '../../../../src/pages/eleventy/eleventy-run.ts';

test('a package that the project has not installed yet is no fault of a template', () => {
  const cause = new Error("Cannot find package 'prepress-content' imported from /a.js");
  const wrapped = Object.assign(new Error('There was a problem'), { originalError: cause });
  expect(asPageError(wrapped)).toMatchObject({
    code: 'PAGES_INVALID',
    message: `The pages cannot be rendered: There was a problem ${cause.message}`,
    hint: expect.stringContaining('"npm install"'),
  });
  expect(asPageError(new Error('Unknown filter'))).toMatchObject({
    hint: expect.stringContaining('Correct the template'),
  });
});
