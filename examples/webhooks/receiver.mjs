// Receives webhooks and verifies them. Start: WEBHOOK_SECRET=whsec_... PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) {
  console.error('Set WEBHOOK_SECRET to the secret of the webhook: whsec_...');
  process.exit(1);
}
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

const isGenuine = (headers, body) => {
  const {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signatures = '',
  } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  console.log(JSON.parse(body).event);
  response.writeHead(204).end();
});
server.listen(process.env.PORT ?? 3000, '127.0.0.1');
