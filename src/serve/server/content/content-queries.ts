// Answers addresses of the content interface: default lists and whole records from their files, everything else by the
// executor over the packed tree. The invariant: an answer of the executor is of one root; where a blob of that is gone,
// the answer is begun once more with the root of now.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { entityTag, knowsTag } from '../../../content/paths/entity-tags.ts';
import { NOT_PACKED_YET, REPLACED_WHILE_READ } from '../../../content/paths/problems.ts';
import { queryValues } from '../../../content/paths/query-values.ts';
import type { Encoding } from '../../../content/paths/sidecars.ts';
import {
  type OpenAnswer,
  openList,
  openRecord,
  type RecordKey,
  readTree,
} from '../../../content/queries/answer.ts';
import { type AnswerPlan, type Found, planAnswer } from '../../../content/queries/plan-answer.ts';
import type { Root } from '../../../content/tree/tree.ts';
import { isMissingBlob } from '../../../content/tree/tree-store.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';
import { ProblemError } from '../problems/problem.ts';
import type { Problem } from '../problems/problems.ts';
import type { OpenFile } from './file-cache.ts';
import { queryDocument } from './query-document.ts';
import { readId } from './record-id.ts';
import type { Document } from './send-file.ts';
import type { TreeSource } from './tree-source.ts';

export type ContentQueries = {
  /** Null: there is no such document. Throws QueryProblems and ProblemErrors. */
  readonly find: (asked: AskedDocument) => Promise<Document | null>;
};

export type AskedDocument = {
  readonly found: Found;
  readonly rawQuery: string;
  /** Files that lie in it are sent so. */
  readonly encoding: Encoding | null;
  /** The header `If-None-Match`. */
  readonly known: string | undefined;
};

type Options = {
  readonly tree: TreeSource;
  /** The setting `lists.max`, which counts while there is no tree. */
  readonly listMax: number;
  readonly read: (file: string) => Promise<OpenFile | null>;
  readonly readIn: (encoding: Encoding | null, file: string) => Promise<Document | null>;
  readonly memory: Pick<ResponseBuffers, 'reserve'>;
  readonly now: () => number;
};

/** Parts of answers that are made at once: each holds its blobs. */
const PARTS_MAX = 8;

/**
 * Answers are kept by what was asked of the newest root, however it was spelled, from the second time on: what is asked once
 * would take memory until V8's next full collection.
 */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;
const KEY_BYTES = 256;
const ASKED_ONCE = Buffer.alloc(0);

export const createContentQueries = (options: Options): ContentQueries => {
  const { tree, read, readIn, memory } = options;
  const write = { memory, inLane: limitConcurrency(PARTS_MAX) };
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ length }) => KEY_BYTES + length,
  });
  const findKept = (etag: string): Buffer | undefined => {
    const body = kept.get(etag);
    return body === ASKED_ONCE ? undefined : body;
  };
  const keep = (etag: string, body: Buffer): void => {
    kept.set(etag, kept.has(etag) ? body : ASKED_ONCE);
  };
  let keptTag = '';
  /** Those of an older root are not asked for again. */
  const forgetOlder = (rootTag: string): void => {
    if (rootTag === keptTag) return;
    kept.clear();
    keptTag = rootTag;
  };
  const openPlanned = async (root: Root, plan: ExecutedPlan): Promise<OpenAnswer | null> => {
    const opened = { store: tree.store, root };
    if (plan.kind === 'list') return openList(opened, plan.resource, plan.query);
    const id = plan.id ?? (await readId(read, plan.file));
    if (id === null) return null;
    const column = 'id';
    const key: RecordKey =
      plan.id === null ? { column, value: id, shown: 'slug' } : { column, value: id };
    return openRecord(opened, plan.resource, { key, shape: plan.shape });
  };
  const execute = async (
    plan: ExecutedPlan,
    { rawQuery, known = '*' }: Pick<AskedDocument, 'rawQuery' | 'known'>,
  ): Promise<Document | null> => {
    const isLasting = !/now/i.test(queryValues(rawQuery, 'filter').join());
    try {
      return await readTree(tree.store, async (root) => {
        forgetOlder(tree.tagOf(root));
        const etag = isLasting ? planTag(tree.tagOf(root), plan) : null;
        if (etag !== null && known !== '*' && knowsTag(known, etag))
          return bodyDocument(etag, null);
        const body = etag === null ? undefined : findKept(etag);
        if (etag !== null && body !== undefined) return bodyDocument(etag, body);
        const answer = await write.inLane(() => openPlanned(root, plan));
        if (answer === null) return null;
        const document = await queryDocument(answer, write, etag);
        if (etag !== null && document.body !== null) keep(etag, document.body);
        return document;
      });
    } catch (error) {
      throw isMissingBlob(error) ? new ProblemError(REPLACED) : error;
    }
  };
  return {
    find: async ({ found, rawQuery, encoding, known }) => {
      const root = found.kind === 'list' ? await tree.findRoot() : null;
      const showsTiers = root?.tiers !== undefined;
      const parsing = { max: root?.max ?? options.listMax, nowMs: options.now(), showsTiers };
      const plan = planAnswer(found, rawQuery, parsing);
      const file = plan.kind === 'record' ? null : plan.file;
      const standing = file === null ? null : await readIn(encoding, file);
      if (standing !== null) return standing;
      return plan.kind === 'file' ? null : execute(plan, { rawQuery, known });
    },
  };
};

type ExecutedPlan = Exclude<AnswerPlan, { readonly kind: 'file' }>;

/** What is asked of one root has one answer: times relative to now are no part of it. */
const planTag = (rootTag: string, plan: ExecutedPlan): string =>
  entityTag(
    createHash('sha256')
      .update(`${rootTag}${JSON.stringify(plan)}`)
      .digest('base64url'),
  );

/** Null: the client has it. */
const bodyDocument = (etag: string, body: Buffer | null): Document => ({
  ...{ etag, body, bytes: body?.length ?? 0, encoding: null, partBytes: 0 },
  stream: () => Readable.from([]),
  close: async () => undefined,
});

const REPLACED: Problem = { ...REPLACED_WHILE_READ, headers: { 'retry-after': '1' } };

/** A tree of before, which the next build packs. */
export const NOT_PACKED: Problem = { ...NOT_PACKED_YET, headers: { 'retry-after': '5' } };
