// Adds up the time that pieces of work take.

export class Stopwatch {
  #milliseconds = 0;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  measure<T>(work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#milliseconds += performance.now() - started;
    }
  }

  async measureAsync<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#milliseconds += performance.now() - started;
    }
  }
}
