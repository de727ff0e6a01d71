// Each preset against a receiver that checks a request as the real one does, by its documents.
import { expect, test } from 'vitest';
import { listDeliveries } from '../../../../src/publication/store/webhooks/attempts.ts';
import { queueEvents } from '../../../../src/publication/store/webhooks/outbox.ts';
import { EVENT_NAMES } from '../../../../src/publish/webhooks/events/event-names.ts';
import { queueTest } from '../../../../src/publish/webhooks/sending/webhook-actions.ts';
import { createWebhook } from '../../../../src/serve/admin/keys/webhooks.ts';
import { parseInput } from '../../../../src/serve/contract/input/parse-input.ts';
import { webhookCreateInput } from '../../../../src/serve/contract/input/webhook-input.ts';
import { WEBHOOK_PRESETS } from '../../../../src/serve/contract/webhook-presets.ts';
import { createOutbox, plannedEvent } from '../../../helpers/outbox.ts';
import { type Received, startReceiver } from '../../../helpers/receiver.ts';

type Answered = readonly [status: number, answer: string];
type Json = Record<string, unknown>;
type Check = (request: Received, method: string) => Answered;

const keysOf = (value: unknown): string[] => Object.keys(value as Json);

/** POST /repos/{owner}/{repo}/dispatches */
const github: Check = ({ path, headers, body }, method) => {
  if (method !== 'POST' || !/^\/repos\/[\w.-]+\/[\w.-]+\/dispatches$/.test(path))
    return [404, '{"message":"Not Found"}'];
  if (headers['user-agent'] === undefined)
    return [403, 'Request forbidden by administrative rules'];
  if (headers.authorization !== 'Bearer github_pat_1')
    return [401, '{"message":"Bad credentials"}'];
  if (headers['x-github-api-version'] !== '2022-11-28') return [400, 'no such version'];
  if (!headers.accept?.includes('json')) return [415, 'Unsupported Media Type'];
  const { event_type, client_payload = {}, ...rest } = JSON.parse(body) as Json;
  const isNamed = typeof event_type === 'string' && event_type !== '' && event_type.length <= 100;
  const isPayload = typeof client_payload === 'object' && keysOf(client_payload).length <= 10;
  const isValid = isNamed && isPayload && keysOf(rest).length === 0 && body.length < 65_535;
  return isValid ? [204, ''] : [422, '{"message":"Invalid request."}'];
};

/** POST /projects/:id/(ref/:ref/)trigger/pipeline */
const gitlab: Check = ({ path, headers, body }, method) => {
  if (method !== 'POST' || !/^\/api\/v4\/projects\/[^/]+\/ref\/main\/trigger\/pipeline$/.test(path))
    return [404, '{"error":"404 Not Found"}'];
  if (!headers['content-type']?.startsWith('application/json')) return [415, 'unsupported'];
  const { token, variables = {} } = JSON.parse(body) as { token?: string; variables?: Json };
  if (token === undefined) return [400, '{"error":"token is missing"}'];
  if (token !== 'glptt-1') return [404, '{"message":"404 Not Found"}'];
  const areTexts = Object.values(variables).every((value) => typeof value === 'string');
  return areTexts ? [201, '{"id":1}'] : [400, 'variables needs to be a map of key-valued strings'];
};

const hook =
  (form: RegExp, answer: Answered): Check =>
  ({ path, body }, method) =>
    method === 'POST' && form.test(path) && typeof JSON.parse(body) === 'object'
      ? answer
      : [404, '{"error":"not found"}'];

/** An incoming webhook: text, and blocks with elements of the kinds that they may hold. */
const slack: Check = ({ path, headers, body }, method) => {
  if (method !== 'POST' || !/^\/services\/T\w+\/B\w+\/\w+$/.test(path)) return [404, 'no_service'];
  if (headers['content-type'] !== 'application/json') return [400, 'invalid_payload'];
  const { text, blocks } = JSON.parse(body) as { text?: string; blocks?: readonly Json[] };
  if (typeof text !== 'string' || text === '') return [400, 'no_text'];
  if (/[<>&]/.test(text)) return [400, 'the text can call a channel'];
  const sections = (blocks ?? []).flatMap(({ type, elements }) =>
    type === 'rich_text' ? (elements as readonly Json[]) : [],
  );
  const elements = sections.flatMap(({ type, elements: inner }) =>
    type === 'rich_text_section' ? (inner as readonly Json[]) : [],
  );
  const isShown = ({ type, text: shown, url }: Json): boolean =>
    type === 'text' ? typeof shown === 'string' && shown !== '' : URL.canParse(String(url));
  return elements.length > 0 && elements.every(isShown) ? [200, 'ok'] : [400, 'invalid_blocks'];
};

const RECEIVERS: Readonly<Record<string, readonly [path: string, token: string | null, Check]>> = {
  github: ['/repos/o/r.js/dispatches', 'github_pat_1', github],
  gitlab: ['/api/v4/projects/group%2Fname/ref/main/trigger/pipeline', 'glptt-1', gitlab],
  netlify: ['/build_hooks/5c23354f', null, hook(/^\/build_hooks\/\w+$/, [200, ''])],
  vercel: [
    '/v1/integrations/deploy/prj_1/abc',
    null,
    hook(/^\/v1\/integrations\/deploy\/\w+\/\w+$/, [201, '{"job":{"state":"PENDING"}}']),
  ],
  cloudflare: [
    '/client/v4/pages/webhooks/deploy_hooks/0a-1',
    null,
    hook(/^\/client\/v4\/pages\/webhooks\/deploy_hooks\/[\w-]+$/, [200, '{"success":true}']),
  ],
  slack: ['/services/T0/B0/key', null, slack],
};

const post = { current: { id: 'a', title: '<!channel> & "x"', url: 'https://s.example/a/' } };
const PAYLOADS: readonly [event: string, payload: object][] = [
  ['site.changed', { all: false, addresses: ['/content/posts/'], tags: ['posts', 'post:a'] }],
  ['post.edited', { post: { ...post, previous: {} } }],
  ['post.deleted', { post: { current: {}, previous: { title: 'T' } } }],
  ['tag.added', { tag: { current: { id: 'b', name: 'N' }, previous: {} } }],
];

test.each(WEBHOOK_PRESETS)('$title takes what the preset sends', async ({ name }) => {
  const [path = '', token, check] = RECEIVERS[name] ?? [];
  const outbox = await createOutbox();
  const { store, clock, box } = outbox;
  const faults: unknown[] = [];
  const receiver = await startReceiver((response, received, request) => {
    const [status, answer] = check?.(received, request.method ?? '') ?? [500, 'no receiver'];
    if (status >= 300) faults.push([answer, received.body]);
    response.writeHead(status).end(answer);
  });
  const target_url = new URL(path, receiver.url).href;
  const context = { store, clock, secretBox: box, vetTarget: async () => null };
  for (const [event, payload] of PAYLOADS) {
    const wish = { event, target_url, preset: name, ...(token !== null && { token }) };
    const input = parseInput(webhookCreateInput, wish);
    const { id } = await createWebhook({ ...context, webhookEvents: EVENT_NAMES }, input, null);
    const text = JSON.stringify({ event, generation: 3, ...payload });
    const planned = { ...plannedEvent(event, 1), payload: text };
    await store.write((tx) => queueEvents(tx, [planned], { now: clock.now() }));
    await store.write((tx) => queueTest(tx, id, clock.now()));
  }
  await outbox.deliverer().drainOnce();
  expect(faults).toEqual([]);
  const deliveries = await listDeliveries(store, { limit: 100 });
  expect(deliveries.map(({ state }) => state)).toEqual(Array(2 * PAYLOADS.length).fill('done'));
});
