// How many answers of content are under way at once, in all and for one address. What is over that waits in the order of its
// coming, and is refused when it has waited too long. The invariant: whatever is entered is left again, or refused.
import { BUSY, type Problem, TOO_MANY } from '../problems/problems.ts';
import type { Exchange } from './connection.ts';

export type Admission = {
  /** Begins the answer now, or once there is room. `address` is null where no address is capped. */
  readonly enter: (exchange: Exchange, address: string | null) => void;
  /** The answer has ended, begun or not. */
  readonly leave: (exchange: Exchange) => void;
  readonly refuseOlder: (beforeMs: number) => void;
  readonly isUnderWay: (exchange: Exchange) => boolean;
  /** What each answer that has waited since before `beforeMs` waits for, in order. */
  readonly wishes: (beforeMs: number) => readonly Wish[];
};

export type Wish = {
  /** Whether the end of this answer would make room. */
  readonly isFor: (exchange: Exchange) => boolean;
  /** How many such answers there are at most. */
  readonly limit: number;
};

type Options = {
  readonly answersMax: number;
  readonly answersPerAddressMax: number;
  readonly begin: (exchange: Exchange) => void;
  readonly refuse: (exchange: Exchange, problem: Problem) => void;
  readonly now: () => number;
};

type Waiting = { readonly address: string | null; readonly sinceMs: number };

export const createAdmission = (options: Options): Admission => {
  const { answersMax, answersPerAddressMax, begin, refuse, now } = options;
  const underWay = new Set<Exchange>();
  const counts = new Map<string, number>();
  const waiting = new Map<Exchange, Waiting>();
  const isCapped = (address: string | null): boolean =>
    address !== null && (counts.get(address) ?? 0) >= answersPerAddressMax;
  const count = (address: string | null, by: number): void => {
    if (address === null) return;
    const sum = (counts.get(address) ?? 0) + by;
    if (sum === 0) counts.delete(address);
    else counts.set(address, sum);
  };
  const start = (exchange: Exchange, address: string | null): void => {
    waiting.delete(exchange);
    underWay.add(exchange);
    exchange.address = address;
    count(address, 1);
    begin(exchange);
  };
  const startWaiting = (): void => {
    for (const [exchange, { address }] of waiting) {
      if (underWay.size >= answersMax) return;
      if (!isCapped(address)) start(exchange, address);
    }
  };
  return {
    enter: (exchange, address) => {
      const hasRoom = underWay.size < answersMax && !isCapped(address);
      if (hasRoom) start(exchange, address);
      else waiting.set(exchange, { address, sinceMs: now() });
    },
    leave: (exchange) => {
      waiting.delete(exchange);
      if (!underWay.delete(exchange)) return;
      count(exchange.address, -1);
      if (waiting.size > 0) startWaiting();
    },
    refuseOlder: (beforeMs) => {
      for (const [exchange, { address, sinceMs }] of waiting) {
        if (sinceMs >= beforeMs) return;
        waiting.delete(exchange);
        refuse(exchange, isCapped(address) ? TOO_MANY : BUSY);
      }
    },
    isUnderWay: (exchange) => underWay.has(exchange),
    wishes: (beforeMs) =>
      [...waiting.values()]
        .filter(({ sinceMs }) => sinceMs < beforeMs)
        .map(({ address }) =>
          isCapped(address)
            ? {
                isFor: (other) => underWay.has(other) && other.address === address,
                limit: answersPerAddressMax,
              }
            : { isFor: (other) => underWay.has(other), limit: answersMax },
        ),
  };
};
