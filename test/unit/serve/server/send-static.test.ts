// Plain files of the output: types, ranges and conditions.
import { expect, test } from 'vitest';
import { serve } from './harness.ts';

test('a plain file is sent whole, in parts, or not again', async () => {
  const { app, put } = await serve();
  put('styles.css', 'body {}');
  put('notes.unknown', 'text');
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: got, body } = await app.inject({ url, headers });
    return { statusCode, type: got['content-type'], body, etag: String(got.etag) };
  };
  const type = 'text/css; charset=utf-8';
  const whole = await ask('/styles.css');
  expect(whole).toMatchObject({ statusCode: 200, type, body: 'body {}' });
  const part = await ask('/styles.css', { range: 'bytes=5-6' });
  expect(part).toMatchObject({ statusCode: 206, type, body: '{}' });
  expect(await ask('/notes.unknown')).toMatchObject({
    statusCode: 200,
    type: 'application/octet-stream',
    body: 'text',
  });
  const known = await ask('/styles.css', { 'if-none-match': whole.etag });
  expect(known).toMatchObject({ statusCode: 304, body: '' });
  for (const [name, value, statusCode] of [
    ['if-match', '"other"', 412],
    ['range', 'bytes=90-', 416],
  ] as const) {
    const refused = await ask('/styles.css', { [name]: value });
    expect(refused.statusCode).toBe(statusCode);
    const { errors } = JSON.parse(refused.body) as { errors: object[] };
    expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
  }
});
