import { expect, test } from 'vitest';
import { stillStyle } from '../../../../src/serve/desk/ui/still-style.ts';

test('a style keeps what fetches nothing', () => {
  const style = 'font-weight:normal; color:RGB(1, 2, 3);width:calc(1px + 2em); content:"a"';
  expect(stillStyle(style)).toBe(style);
});

test.each([
  'background:url(https://a.example/)',
  'background:URL("https://a.example/")',
  'background:u\\72l(https://a.example/)',
  'background:url(data:text/plain;base64,AA)',
  'background:image-set("https://a.example/" 1x)',
  'background:-webkit-image-set(url(https://a.example/) 1x)',
  'background:linear-gradient(red, blue), src("https://a.example/")',
  '--ground:url(https://a.example/);background:var(--ground)',
  'background:rgb(1, 2, 3) url(https://a.example/)',
])('a style loses what fetches: %s', (fetching) => {
  const still = stillStyle(`color:red;${fetching};margin:0`);
  expect(still).toMatch(/^color:red;(?:base64,AA\);)?margin:0$/);
});
