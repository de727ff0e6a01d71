// A wait of a loop that something may end early.

export class Pause {
  #end: () => void = () => undefined;

  /** Resolves after so many milliseconds, or when it is interrupted; null: only then. */
  wait(milliseconds: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === null ? undefined : setTimeout(resolve, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  interrupt(): void {
    this.#end();
  }
}
