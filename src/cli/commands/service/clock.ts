// prepress clock: what the clock is compared with; and taking it for right.
import { toIsoTime } from '../../../base/time.ts';
import {
  acceptClock,
  compareClock,
  readClockState,
} from '../../../publication/store/log/clock-state.ts';
import { clockLine } from '../../../publish/cycle/clock-line.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import type { Run } from '../command.ts';

export const clock: Run = ({ config, report }) =>
  withWorkspace(config, async ({ store, clock: { now } }) => {
    const state = await readClockState(store, now());
    const { isBehind, nowMs, announcedMs } = state;
    const [present, announced] = [toIsoTime(nowMs), toIsoTime(announcedMs)];
    report.print(
      clockLine(state) ??
        `The clock is right: it says ${present}, and the latest build was at ${announced}.`,
    );
    report.data({ now: present, latest_build: announced, behind: isBehind });
    return 0;
  });

export const clockAccept: Run = ({ config, report }) =>
  withWorkspace(config, async ({ store, clock: { now } }) => {
    const { state, isAccepted } = await store.write(async (tx) => {
      const found = await readClockState(tx, now());
      const isPossible = !compareClock(found.nowMs, found.nowMs).isBehind;
      if (found.isBehind && isPossible) await acceptClock(tx, found.nowMs);
      return { state: found, isAccepted: found.isBehind && isPossible };
    });
    report.print(
      isAccepted
        ? 'The clock is accepted: scheduled posts are published at their times again.'
        : (clockLine(state) ??
            'The clock is not behind the latest build: there is nothing to accept.'),
    );
    report.data({ accepted: isAccepted });
    return state.isBehind && !isAccepted ? 1 : 0;
  });
