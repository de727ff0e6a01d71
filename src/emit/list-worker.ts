// The thread that writes lists. It also has the disk take them, while it writes the next one: placing them
// then finds little left to be synced.
import { close, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { type ListJob, writeListJobAside } from './list-job.ts';

parentPort?.on('message', async (job: ListJob) => {
  const written = await writeListJobAside(job);
  const descriptor = openSync(written.temporary, 'r');
  await promisify(fsync)(descriptor);
  await promisify(close)(descriptor);
  parentPort?.postMessage(written);
});
