// The executor as hosts use it: the address of a list or record, and its raw query, to the bytes of the answer, or of the
// error body that the companion server sends. Lists that are files are answered, too: both have the same bytes.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

import { type Address, parseAddress } from '../base/address.ts';
import { problemBody } from '../base/problem-body.ts';
import { answerList, answerRecord } from './answer.ts';
import { describeQueryProblem, isQueryProblem } from './query-problem.ts';
import { isMissingBlob, type TreeStore } from './tree-store.ts';

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
  if (address.kind === 'id') {
    return answerRecord(store, resource, { key: { id: address.id }, rawQuery });
  }
  const find = (slugs: readonly string[]): Promise<Uint8Array[] | null> =>
    answerRecord(store, resource, { key: { slug: slugs[0] || '' }, rawQuery }).then((pieces) =>
      pieces === null && slugs.length > 1 ? find(slugs.slice(1)) : pieces,
    );
  return find(spellings(address.slug));
};

/** A slug is found in any normal form of Unicode, as its file is; what was sent comes first. */
const spellings = (slug: string): string[] =>
  typeof slug.normalize === 'function'
    ? [slug, slug.normalize('NFC'), slug.normalize('NFD')].filter(
        (spelling, at, all) => all.indexOf(spelling) === at,
      )
    : [slug];

/** What a client reads of an output that has no tree yet. */
export const NOT_PACKED_YET = {
  status: 503,
  type: 'MaintenanceError',
  message: 'Queries are answered once the next build is done, please try again.',
} as const;

/** What a client reads when even the fresh root names a blob that is gone. */
export const REPLACED_WHILE_READ = {
  status: 503,
  type: 'MaintenanceError',
  message: 'The content was replaced while it was read, please try again.',
} as const;

const refuse = (thrown: unknown): AddressAnswer => {
  if (!isQueryProblem(thrown) && !isMissingBlob(thrown)) throw thrown;
  const problem = isQueryProblem(thrown) ? describeQueryProblem(thrown) : REPLACED_WHILE_READ;
  return { kind: 'problem', status: problem.status, body: problemBody(problem) };
};
