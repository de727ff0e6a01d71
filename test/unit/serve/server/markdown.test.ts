// The address of a page has its text, too, for who asks for Markdown; both say that they vary by that.
import { expect, test } from 'vitest';
import { serve } from './harness.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.for([true, false])('a page as Markdown, with the setting at %s', async (markdown) => {
  const served = await serve({ flags: { markdown } });
  served.put('one/index.html', '<!DOCTYPE html><title>One</title>');
  served.put('one/index.md', 'One');
  served.put('two/index.html', '<!DOCTYPE html><title>Two</title>');
  const asked = [
    ['/one/', BROWSER],
    ['/one/', ''],
    ['/one/', '*/*'],
    ['/one/', 'text/markdown'],
    ['/one/', 'text/html;q=0.5, text/markdown'],
    ['/two/', 'text/markdown'],
    ['/one/index.md', BROWSER],
  ] as const;
  const answers: unknown[] = [];
  for (const [path, accept] of asked) {
    const { status, headers } = await served.get(path, { headers: { accept } });
    answers.push([status, headers.get('content-type'), headers.get('vary')]);
  }
  const html = [200, 'text/html; charset=utf-8', markdown ? 'Accept' : null];
  const text = markdown ? [200, 'text/markdown; charset=utf-8', 'Accept'] : html;
  const file = [200, 'text/markdown; charset=utf-8', null];
  expect(answers).toEqual([html, html, html, text, text, html, file]);
});
