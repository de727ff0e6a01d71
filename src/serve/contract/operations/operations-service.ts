// Operations of webhooks and their deliveries, keys, builds, and the server's own.
import { keyInput } from '../input/key-input.ts';
import { webhookCreateInput, webhookEditInput } from '../input/webhook-input.ts';
import { NOTHING, type Operation, single } from './operation.ts';

const webhook = { tag: 'webhooks' } as const;

const WEBHOOKS: readonly Operation[] = [
  {
    ...webhook,
    method: 'post',
    path: '/admin/webhooks/',
    summary: 'Creates a webhook; the only answer that shows its secret.',
    body: {
      root: 'webhooks',
      schema: webhookCreateInput,
      example: { event: 'post.published', target_url: 'https://receiver.example/hook' },
    },
    answer: single({ root: 'webhooks', record: 'NewWebhook' }, 201),
  },
  {
    ...webhook,
    method: 'put',
    path: '/admin/webhooks/{id}/',
    summary: 'Edits a webhook of the same key, and enables it again; owner keys edit any.',
    body: { root: 'webhooks', schema: webhookEditInput, example: { name: 'Search index' } },
    answer: single({ root: 'webhooks', record: 'Webhook' }),
  },
  {
    ...webhook,
    method: 'delete',
    path: '/admin/webhooks/{id}/',
    summary: 'Removes a webhook and its deliveries.',
    answer: NOTHING,
  },
  {
    ...webhook,
    method: 'post',
    path: '/admin/webhooks/{id}/test/',
    summary: 'Sends a test event to one webhook.',
    answer: single({ root: 'deliveries', record: 'Queued' }, 202),
  },
];

const all = (root: string, record: 'Delivery' | 'Build' | 'Key') =>
  ({ kind: 'records', status: 200, root, record, isSingle: false, isPaged: false }) as const;

const OWN: readonly Operation[] = [
  {
    tag: 'deliveries',
    method: 'get',
    path: '/admin/deliveries/',
    summary: 'The newest deliveries of own webhooks, or of all to an owner key, without payloads.',
    query: ['limit', 'webhook_id', 'failed'],
    answer: all('deliveries', 'Delivery'),
  },
  {
    tag: 'deliveries',
    method: 'post',
    path: '/admin/deliveries/{id}/redeliver/',
    summary: 'Sends a delivery again.',
    answer: single({ root: 'deliveries', record: 'Queued' }, 202),
  },
  {
    tag: 'keys',
    method: 'get',
    path: '/admin/keys/',
    summary:
      'Keys without their secrets, revoked ones too: all of them to an owner key, else itself.',
    answer: all('keys', 'Key'),
  },
  {
    tag: 'keys',
    method: 'post',
    path: '/admin/keys/',
    summary: 'Creates a key, for an owner key; the only answer that shows it.',
    body: { root: 'keys', schema: keyInput, example: { type: 'content', name: 'The app' } },
    answer: single({ root: 'keys', record: 'NewKey' }, 201),
  },
  {
    tag: 'keys',
    method: 'delete',
    path: '/admin/keys/{id}/',
    summary: 'Revokes the key itself, or any key for an owner key, at once.',
    answer: NOTHING,
  },
  {
    tag: 'builds',
    method: 'get',
    path: '/admin/builds/',
    summary: 'The newest builds.',
    query: ['limit'],
    answer: all('builds', 'Build'),
  },
  {
    tag: 'builds',
    method: 'post',
    path: '/admin/builds/',
    summary: 'Asks for a build.',
    answer: single({ root: 'builds', record: 'Queued' }, 202),
  },
  {
    tag: 'builds',
    method: 'get',
    path: '/admin/state/',
    summary: 'What the publisher does now.',
    answer: { kind: 'free', status: 200 },
  },
  {
    tag: 'desk',
    method: 'get',
    path: '/admin/desk/',
    summary: 'Webhooks of the key, senders that wait for their link, and the queue of deliveries.',
    answer: { kind: 'object', status: 200, root: 'desk', record: 'Desk' },
  },
  {
    tag: 'builds',
    method: 'post',
    path: '/hooks/build/{token}/',
    summary: 'Asks for a build with the token of a hook; any body.',
    isAuthenticated: false,
    answer: { kind: 'free', status: 202 },
  },
];

export const SERVICE_OPERATIONS: readonly Operation[] = [
  ...WEBHOOKS,
  ...OWN,
  {
    tag: 'server',
    method: 'get',
    path: '/admin/openapi.json',
    summary: 'This document.',
    answer: { kind: 'free', status: 200 },
  },
  {
    tag: 'server',
    method: 'get',
    path: '/health/',
    summary: 'Whether the server answers, and, as `clock`, that its clock is behind.',
    isAuthenticated: false,
    answer: { kind: 'free', status: 200 },
  },
];
