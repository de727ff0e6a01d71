// Shows how far a long piece of work is, on a terminal and after the first second: a bar with what was done
// and the seconds that are left. Piped, nothing is shown. It belongs on standard error.
import { SingleBar } from 'cli-progress';

export type Progress = {
  /** In the same unit as the total; a total of 0 is not known. */
  readonly done: number;
  readonly total: number;
  /** What was done so far, in words: `1,200 records, 9,600 files`. */
  readonly text: string;
};

export type ProgressLine = {
  readonly show: (progress: Progress) => void;
  /** Takes the line away. */
  readonly end: () => void;
};

const SHOWN_AFTER_MS = 1_000;

export const createProgressLine = (stream: NodeJS.WriteStream = process.stderr): ProgressLine => {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  const started = performance.now();
  let bar: SingleBar | null = null;
  const open = ({ total }: Progress): SingleBar => {
    const format = total === 0 ? '{text}, {duration} s' : '{bar} {percentage}% · {text} · {left}';
    const options = { format, stream, clearOnComplete: true, hideCursor: true, fps: 10 };
    const opened = new SingleBar(options, PRESET);
    opened.start(total || 1, 0, { text: '', left: '' });
    return opened;
  };
  return {
    show: (progress) => {
      const elapsedMs = performance.now() - started;
      if (bar === null && elapsedMs < SHOWN_AFTER_MS) return;
      bar ??= open(progress);
      const { done, total, text } = progress;
      bar.update(Math.min(done, total), { text, left: leftOf(progress, elapsedMs) });
    },
    end: () => {
      bar?.stop();
      bar = null;
    },
  };
};

const PRESET = { format: '', barCompleteChar: '█', barIncompleteChar: '░' };

const leftOf = ({ done, total }: Progress, elapsedMs: number): string => {
  if (done === 0 || total === 0) return '';
  const seconds = (elapsedMs / 1000) * (Math.max(total - done, 0) / done);
  return `${Math.ceil(seconds)} s left`;
};
