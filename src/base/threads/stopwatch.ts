// Adds up the time that pieces of work take.

export class Stopwatch {
  milliseconds = 0;

  measure<T>(work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.milliseconds += performance.now() - started;
    }
  }
}
