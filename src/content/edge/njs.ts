// The executor in nginx (njs): lists and records whose queries have no file, read from the packed tree with `fs`, with the
// status, headers and bytes of the companion server. nginx sets the headers that all its answers have. Each request begins
// without memory. Bundled by bundle-njs.ts, which puts the site in.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { canonicalPath } from '../paths/canonical-path.ts';
import { contentPath } from '../paths/content-path.ts';
import { entityTag, knowsTag } from '../paths/entity-tags.ts';
import { JSON_TYPE } from '../paths/headers.ts';
import { problemBody } from '../paths/problem-body.ts';
import { INTERNAL, NOT_FOUND, NOT_PACKED_YET } from '../paths/problems.ts';
import { type AddressAnswer, answerAddress } from '../queries/answer-address.ts';
import { blobFile, PACKED_ROOT_FILE } from '../tree/names.ts';
import type { Root } from '../tree/tree.ts';
import { createTreeStore } from '../tree/tree-store.ts';

export type NjsSite = {
  readonly basePath: string;
  /** The content folder as nginx sees it. */
  readonly folder: string;
};

declare const PREPRESS_SITE: NjsSite;

/** What is used of nginx's request. */
type Request = {
  readonly variables: { readonly request_uri: string };
  readonly headersIn: Readonly<Record<string, string | undefined>>;
  readonly headersOut: Record<string, string>;
  status: number;
  readonly sendHeader: () => void;
  readonly finish: () => void;
  readonly return: (status: number, body: string | Uint8Array) => void;
  readonly error: (message: string) => void;
};

type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A 304 has none. */
  readonly body?: string | Uint8Array;
};

const answer = (request: Request): Promise<void> => {
  const uri = request.variables.request_uri;
  const at = `${uri}?`.indexOf('?');
  const path = contentPath(canonicalPath(uri.slice(0, at)) || '', PREPRESS_SITE.basePath) || '';
  const asked = { path, rawQuery: uri.slice(at + 1), nowMs: Date.now() };
  return answerAddress(openStore(), asked)
    .then((answered) => replyOf(answered, request.headersIn['If-None-Match']))
    .catch((thrown) => {
      if (isNotPacked(thrown)) return textReply(503, problemBody(NOT_PACKED_YET));
      request.error(`Prepress: ${thrown.message}`);
      return textReply(500, problemBody(INTERNAL));
    })
    .then((reply) => {
      Object.keys(reply.headers).forEach((name) => {
        request.headersOut[name] = reply.headers[name] || '';
      });
      if (reply.body !== undefined) return request.return(reply.status, reply.body);
      // Without a length, which would be that of nothing.
      request.status = reply.status;
      request.sendHeader();
      request.finish();
    });
};

/** Nothing is kept beyond the request, and what it reads is read once. */
const openStore = () =>
  createTreeStore({
    bytesMax: Infinity,
    readRoot: () => {
      const bytes = readFile(PACKED_ROOT_FILE);
      return bytes === null
        ? Promise.reject(createNotPacked())
        : Promise.resolve(JSON.parse(bytes.toString()) as Root);
    },
    readBlob: (name) => Promise.resolve(readFile(blobFile(name))),
  });

const readFile = (file: string): Buffer | null => {
  try {
    return fs.readFileSync(`${PREPRESS_SITE.folder}/${file}`);
  } catch (thrown) {
    if ((thrown as { readonly code?: string }).code === 'ENOENT') return null;
    throw thrown;
  }
};

const createNotPacked = (): Error => Object.assign(new Error(), NOT_PACKED_YET);
const isNotPacked = (thrown: { readonly status?: unknown }): boolean => thrown.status === 503;

const replyOf = (answered: AddressAnswer | null, known: string | undefined): Reply => {
  if (answered === null) return textReply(404, problemBody(NOT_FOUND));
  if (answered.kind === 'problem') return textReply(answered.status, answered.body);
  const body = Buffer.concat(answered.pieces as Uint8Array[]);
  const etag = entityTag(crypto.createHash('sha256').update(body).digest('base64url'));
  return knowsTag(known, etag)
    ? { status: 304, headers: { ETag: etag } }
    : { status: 200, headers: { ETag: etag, 'Content-Type': JSON_TYPE }, body };
};

const textReply = (status: number, body: string): Reply => ({
  status,
  headers:
    status === 503
      ? { 'Content-Type': JSON_TYPE, 'Retry-After': '1' }
      : { 'Content-Type': JSON_TYPE },
  body,
});

export default { answer };
