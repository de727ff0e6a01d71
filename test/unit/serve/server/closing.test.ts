// A server that stops answers what has reached it.
import { expect, test } from 'vitest';
import { answersIn, openRaw } from '../../../helpers/raw-client.ts';
import { serve } from './harness.ts';

const FORM = 'a=1234567';
const HEAD =
  'POST /unsubscribe/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n' +
  `content-length: ${FORM.length}\r\n\r\n`;

test('a request whose body is under way is answered as ever, and its connection ends', async () => {
  const served = await serve();
  const client = await openRaw(served.origin);
  const begun = new Promise((resolve) => {
    served.app.server.once('request', resolve);
  });
  client.socket.write(HEAD);
  await begun;
  const closed = served.app.close();
  client.socket.write(FORM);
  await client.closed;
  await closed;
  const [answer] = answersIn(client.said());
  expect(answer?.status).toBe(400);
  expect(client.said()).toMatch(/^connection: close\r$/im);
  expect(answer?.body).toContain('<title>');
});
