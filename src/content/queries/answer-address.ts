// The executor as hosts use it: the address of a list or record, and its raw query, to the bytes of the answer, or of the
// error body that the companion server sends. Lists that are files are answered, too: both have the same bytes.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

import { type Address, parseAddress } from '../paths/address.ts';
import { problemBody } from '../paths/problem-body.ts';
import { REPLACED_WHILE_READ } from '../paths/problems.ts';
import { isMissingBlob, type TreeStore } from '../tree/tree-store.ts';
import { answerList, answerRecord, type RecordKey } from './answer.ts';
import { isQueryProblem } from './query-problem.ts';

export type AskedAddress = {
  /** Canonical path after `/content/`, still percent-encoded, with its last slash: `posts/`, `posts/slug/x/`. */
  readonly path: string;
  /** Without the question mark. */
  readonly rawQuery: string;
  readonly nowMs: number;
};

export type AddressAnswer =
  | { readonly kind: 'body'; readonly pieces: readonly Uint8Array[] }
  | {
      readonly kind: 'problem';
      readonly status: 400 | 422 | 503;
      /** JSON. */
      readonly body: string;
    };

/** Null: no list or record has this address. Rejects with what the store rejects with. */
export const answerAddress = (
  store: TreeStore,
  asked: AskedAddress,
): Promise<AddressAnswer | null> => {
  const address = parseAddress(asked.path);
  if (address === null) return Promise.resolve(null);
  return findPieces(store, address, asked).then(
    (pieces): AddressAnswer | null => (pieces === null ? null : { kind: 'body', pieces }),
    refuse,
  );
};

const findPieces = (
  store: TreeStore,
  address: Address,
  asked: AskedAddress,
): Promise<Uint8Array[] | null> => {
  const resource = address.resource;
  const rawQuery = asked.rawQuery;
  if (address.kind === 'list') return answerList(store, resource, asked);
  const keys: RecordKey[] =
    address.kind === 'id'
      ? [{ column: 'id', value: address.id }]
      : spellings(address.slug).map((value) => ({ column: 'slug', value }));
  return keys.reduce<Promise<Uint8Array[] | null>>(
    (found, key) =>
      found.then((pieces) => pieces || answerRecord(store, resource, { key, rawQuery })),
    Promise.resolve(null),
  );
};

/** A slug is found in any normal form of Unicode, as its file is; what was sent comes first. */
const spellings = (slug: string): string[] =>
  typeof slug.normalize === 'function'
    ? [slug, slug.normalize('NFC'), slug.normalize('NFD')].filter(
        (spelling, at, all) => all.indexOf(spelling) === at,
      )
    : [slug];

const refuse = (thrown: unknown): AddressAnswer => {
  if (!isQueryProblem(thrown) && !isMissingBlob(thrown)) throw thrown;
  const problem = isQueryProblem(thrown) ? thrown : REPLACED_WHILE_READ;
  return { kind: 'problem', status: problem.status, body: problemBody(problem) };
};
