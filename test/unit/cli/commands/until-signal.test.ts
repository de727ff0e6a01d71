import { afterEach, expect, it, vi } from 'vitest';
import { untilSignal } from '../../../../src/cli/commands/until-signal.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('gives work that goes on after the signal 3 s', async () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const once = vi.spyOn(process, 'once').mockReturnThis();

  const ended = untilSignal();
  const stop = once.mock.calls.find(([signal]) => signal === 'SIGTERM')?.[1];
  stop?.();
  await ended;
  vi.advanceTimersByTime(2_499);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);

  expect(exit).toHaveBeenCalledWith();
});
