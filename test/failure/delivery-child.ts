// The program that the kill test kills: a deliverer on the database it is given, until it is ended.
import { createDeliverer } from '../../src/delivery/deliverer.ts';
import { openSecretBox } from '../../src/store/secrets.ts';
import { openStore } from '../../src/store/store.ts';

const [path = '', keyPath = ''] = process.argv.slice(2);
const store = await openStore(path);
const deliverer = createDeliverer({
  store,
  secretBox: openSecretBox(keyPath),
  clock: { now: Date.now },
  webhookAllow: ['127.0.0.0/8'],
  timeoutMs: 400,
  onError: (error) => console.error(error),
});
await deliverer.start();
process.send?.('ready');
