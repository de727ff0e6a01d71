// The one answer of a worker thread that ends with it.
import type { Worker } from 'node:worker_threads';

/** Waits until the thread has ended, and let go of its files. Rejects when it ended without an answer. */
export const answerOfThread = <Answer>(worker: Worker): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let answer: Answer | null = null;
    worker.on('message', (said: Answer) => {
      answer = said;
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      if (answer === null) reject(new Error('A worker thread ended.'));
      else resolve(answer);
    });
  });
