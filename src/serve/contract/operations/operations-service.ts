// Operations of webhooks and their deliveries, keys, builds, and the server's own.
import { keyInput } from '../input/key-input.ts';
import { webhookCreateInput, webhookEditInput } from '../input/webhook-input.ts';
import {
  all,
  FREE,
  type ListedOperation,
  NOTHING,
  type Operations,
  object,
  single,
} from './operation.ts';

/** What no source gives stays changeable while one is followed. */
const ours = { changes: 'ours' } as const;

const WEBHOOKS = {
  'POST /': {
    ...ours,
    summary: 'Creates a webhook; the only answer that shows its secret.',
    body: {
      schema: webhookCreateInput,
      example: { event: 'post.published', target_url: 'https://receiver.example/hook' },
    },
    answer: single('NewWebhook', 201),
  },
  'PUT /{id}/': {
    ...ours,
    summary: 'Edits a webhook of the same key, and enables it again; owner keys edit any.',
    body: { schema: webhookEditInput, example: { name: 'Search index' } },
    answer: single('Webhook'),
  },
  'DELETE /{id}/': {
    ...ours,
    summary: 'Removes a webhook and its deliveries.',
    answer: NOTHING,
  },
  'POST /{id}/test/': {
    ...ours,
    action: 'test webhook',
    summary: 'Sends a test event to one webhook.',
    answer: { ...single('Queued', 202), root: 'deliveries' },
  },
} satisfies Operations;

const DELIVERIES = {
  'GET /': {
    summary: 'The newest deliveries of own webhooks, or of all to an owner key, without payloads.',
    query: ['limit', 'webhook_id', 'failed'],
    answer: all('Delivery'),
  },
  'POST /{id}/redeliver/': {
    ...ours,
    action: 'redeliver delivery',
    summary: 'Resends a delivery.',
    answer: single('Queued', 202),
  },
} satisfies Operations;

const KEYS = {
  'GET /': {
    summary:
      'Keys without their secrets, revoked ones too: all of them to an owner key, else itself.',
    answer: all('Key'),
  },
  'POST /': {
    ...ours,
    summary: 'Creates a key, for an owner key; the only answer that shows it.',
    body: { schema: keyInput, example: { type: 'content', name: 'The app' } },
    keys: 'owner',
    answer: single('NewKey', 201),
  },
  'DELETE /{id}/': {
    ...ours,
    summary: 'Revokes the key itself, or any key for an owner key, at once.',
    answer: NOTHING,
  },
} satisfies Operations;

const BUILDS = {
  'GET /': {
    summary: 'The newest builds.',
    query: ['limit'],
    answer: all('Build'),
  },
  'POST /': {
    ...ours,
    summary: 'Requests a build.',
    answer: single('Queued', 202),
  },
} satisfies Operations;

export const SERVICE_OPERATIONS = {
  webhooks: WEBHOOKS,
  deliveries: DELIVERIES,
  keys: KEYS,
  builds: BUILDS,
  state: {
    'GET /': {
      tag: 'builds',
      action: 'read state',
      summary: 'What the publisher does now.',
      answer: FREE,
    },
  },
  desk: {
    'GET /': {
      action: 'read desk',
      summary:
        'Webhooks of the key, senders that wait for their link, and the queue of deliveries.',
      answer: object('Desk'),
    },
  },
  openapi: {
    'GET .json': {
      tag: 'server',
      action: 'read document',
      summary: 'This document.',
      answer: FREE,
    },
  },
} satisfies Readonly<Record<string, Operations>>;

/** Outside of the admin interface; server/build-hook.ts and server/create-server.ts answer them. */
export const OPEN_OPERATIONS: readonly ListedOperation[] = [
  {
    tag: 'builds',
    method: 'post',
    path: '/hooks/build/{token}/',
    summary: 'Requests a build with the token of a hook; the body may be anything.',
    keys: 'none',
    answer: { kind: 'free', status: 202 },
  },
  {
    tag: 'server',
    method: 'get',
    path: '/health/',
    summary: 'Whether the server answers, and, as `clock`, that its clock is behind.',
    keys: 'none',
    answer: FREE,
  },
];
