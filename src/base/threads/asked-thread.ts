// One worker thread, seen from who asks it: requests are answered in their order.
import { Worker, type WorkerOptions } from 'node:worker_threads';

type Waiting<Answer> = {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

export class AskedThread<Request, Answer> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Answer>[] = [];
  #failure: unknown = null;

  /** `file`: the bundled worker. */
  constructor(file: string, options: WorkerOptions) {
    this.#worker = new Worker(file, options);
    this.#worker.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('A worker thread ended.')));
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  ask(request: Request, moved: ArrayBuffer[] = []): Promise<Answer> {
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
