// One worker thread, seen from the build's: requests are answered in their order.
import { Worker } from 'node:worker_threads';
import type { WorkerAnswer, WorkerRequest } from './render-worker.ts';

/** Rendering makes much short-lived text: a small nursery keeps the threads small. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

type Waiting = {
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: unknown) => void;
};

export class WorkerLine {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: unknown = null;

  /** `label` keeps the files of several workers apart. */
  constructor(file: string, label: string) {
    this.#worker = new Worker(file, { workerData: { label }, resourceLimits: LIMITS });
    this.#worker.on('message', (answer: WorkerAnswer) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('A render worker ended.')));
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  ask(request: WorkerRequest, moved: ArrayBuffer[] = []): Promise<WorkerAnswer> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, moved);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
