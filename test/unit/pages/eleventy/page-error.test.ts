import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { asEleventyError } from '../../../../src/pages/eleventy/eleventy-error.ts';

/** Thrown by no file of this project. */
const fault = (message: string, stack = ''): Error => Object.assign(new Error(message), { stack });

const wrap = (message: string, originalError: Error): Error =>
  Object.assign(fault(message), { originalError });

test('a package that the project has not installed yet is no fault of a template', () => {
  const cause = fault("Cannot find package 'prepress-content' imported from /a.js");
  expect(asEleventyError(wrap('There was a problem', cause))).toMatchObject({
    code: 'PAGES_INVALID',
    message: `The pages cannot be rendered: There was a problem ${cause.message}`,
    hint: expect.stringContaining('"npm install"'),
  });
  expect(asEleventyError(fault('Unknown filter'))).toMatchObject({
    hint: expect.stringContaining('Correct the template'),
  });
});

test('a configuration that Node.js reads as CommonJS needs another name', () => {
  const cause = new SyntaxError('Cannot use import statement outside a module');
  expect(asEleventyError(wrap('Error', cause), 'CONFIG_INVALID').hint).toContain(
    'eleventy.config.mjs',
  );
});

test('an error of the plugin is told as it is', () => {
  const cause = new PrepressError('CONFIG_INVALID', 'The plugin has no option "x".');
  expect(asEleventyError(wrap('Error processing the plugin', cause), 'CONFIG_INVALID')).toBe(cause);
});

test('of the pages of a template one is named', () => {
  const error = wrap('Writing to "a.html", "b.html", "c.html" from "t.njk"', fault('No filter'));
  expect(asEleventyError(error).message).toBe(
    'The pages cannot be rendered: Writing to "a.html" and 2 more from "t.njk" No filter',
  );
});

test('a short or empty message is told, with the file of the project that threw it', () => {
  const thrown = (message: string, path: string): Error =>
    fault(message, `Error\n    at read (node:fs:1:1)\n    at ${path}:3:7)\n    at /else/x.js:1:1`);
  const said = (message: string, path: string, around = ''): string =>
    asEleventyError(wrap(around, thrown(message, path))).message;
  const own = join(process.cwd(), 'content/_data/a.cjs');
  const begins = 'The pages cannot be rendered:';
  expect([
    said('d', `module.exports (${own}`),
    said('', `a (${pathToFileURL(own)}?_cache_bust=1`),
    said('d', `a (${join(process.cwd(), 'node_modules/x/a.js')}`),
    said('e', `a (${own}`, 'In content/_data/a.cjs'),
  ]).toEqual([
    `${begins} Error d (content/_data/a.cjs:3)`,
    `${begins} Error (content/_data/a.cjs:3)`,
    `${begins} Error d`,
    `${begins} In content/_data/a.cjs e`,
  ]);
});
