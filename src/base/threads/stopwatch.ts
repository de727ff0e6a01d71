// Adds up the time that pieces of work take. Pieces that run side by side count once.

export class Stopwatch {
  #milliseconds = 0;
  #running = 0;
  #started = 0;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  measure<T>(work: () => T): T {
    this.#start();
    try {
      return work();
    } finally {
      this.#stop();
    }
  }

  async measureAsync<T>(work: () => Promise<T>): Promise<T> {
    this.#start();
    try {
      return await work();
    } finally {
      this.#stop();
    }
  }

  #start(): void {
    if (this.#running === 0) this.#started = performance.now();
    this.#running += 1;
  }

  #stop(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#milliseconds += performance.now() - this.#started;
  }
}
