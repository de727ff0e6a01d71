// Readers in a process of their own: each has one connection that stays open, and asks for one address after the other.
// Arguments: the origin, how many readers, milliseconds from one request of a reader to its next, and a file with the
// addresses. On SIGTERM it says how many answers came, and how many of them were no success.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [origin = '', count = '1', everyMs = '0', file = ''] = process.argv.slice(2);
const paths = readFileSync(file, 'utf8').split('\n');
const agent = new Agent({ keepAlive: true, maxSockets: Number(count) });
let answers = 0;
let faults = 0;
let isEnded = false;

const ask = (path: string): Promise<void> =>
  new Promise((resolve) => {
    const request = get(`${origin}${path}`, { agent }, (response) => {
      response.resume();
      response.on('end', () => {
        answers += 1;
        if (response.statusCode !== 200) faults += 1;
        resolve();
      });
      response.on('error', () => resolve());
    });
    request.on('error', () => {
      faults += 1;
      resolve();
    });
  });

const read = async (reader: number): Promise<void> => {
  for (let at = reader; !isEnded; at += Number(count)) {
    const started = performance.now();
    await ask(paths[at % paths.length] ?? '/');
    const left = Number(everyMs) - (performance.now() - started);
    if (left > 0) await sleep(left);
  }
};

const end = (): void => {
  isEnded = true;
};
process.on('SIGTERM', end);
// Whoever started them has ended.
process.on('disconnect', end);
await Promise.all(Array.from({ length: Number(count) }, (_, reader) => read(reader)));
if (process.connected) process.send?.({ answers, faults }, () => process.exit(0));
else process.exit(0);
