// The program that the kill test kills: a deliverer on the database it is given, until it is ended. A clock that
// stands still lets no lease run out.

import { openSecretBox } from '../../src/publication/store/access/secrets.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { createDeliverer } from '../../src/publish/webhooks/sending/deliverer.ts';

const [path = '', keyPath = '', timeoutMs = '', standsAt = ''] = process.argv.slice(2);
const store = await openStore(path);
const deliverer = createDeliverer({
  store,
  secretBox: openSecretBox(keyPath),
  clock: { now: standsAt === '' ? Date.now : () => Number(standsAt) },
  site: async () => ({ title: '', url: 'https://site.example' }),
  webhookAllow: ['127.0.0.0/8'],
  timeoutMs: Number(timeoutMs),
  onError: (error) => console.error(error),
});
await deliverer.start();
process.send?.('ready');
