// Which queries were asked, for the list of those that a site may declare. They are counted in memory and written
// together a moment after the answers: no request waits for that, and none fails when the database does not take it.
import type { Clock } from '../base/clock.ts';
import type { Resource } from '../paths/endpoints.ts';
import { ASKED_QUERIES_MAX, type AskedQueries, type AskedQuery } from '../store/asked-queries.ts';

export type QueriesSeen = {
  /** Takes the canonical text of a query that was answered; empty for a default list. */
  readonly note: (resource: Resource, query: string) => void;
  /** Writes what waits, for somebody who asks for the list. */
  readonly flush: () => void;
  readonly close: () => Promise<void>;
};

const GATHER_MS = 1_000;
/** Nobody declares a longer one. */
const CHARACTERS_MAX = 1_000;

type Options = { readonly log: AskedQueries; readonly clock: Clock };

export const createQueriesSeen = ({ log, clock }: Options): QueriesSeen => {
  const waiting = new Map<string, AskedQuery>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    if (log.add([...waiting.values()])) waiting.clear();
    // A build holds the database.
    else timer = setTimeout(flush, GATHER_MS).unref();
  };
  return {
    note: (resource, query) => {
      if (!isKept(query)) return;
      const key = `${resource} ${query}`;
      const known = waiting.get(key);
      if (known === undefined && waiting.size >= ASKED_QUERIES_MAX) return;
      const count = (known?.count ?? 0) + 1;
      waiting.set(key, { resource, query, count, askedAt: clock.now() });
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    flush,
    close: async () => {
      flush();
      clearTimeout(timer);
      timer = undefined;
    },
  };
};

/** Of e-mail addresses, which name a person; canonical texts have its code. */
const AT_SIGN = /@|%40/;

const isKept = (query: string): boolean =>
  query !== '' && query.length <= CHARACTERS_MAX && !AT_SIGN.test(query);
