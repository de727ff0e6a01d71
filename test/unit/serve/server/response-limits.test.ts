// The parts that bounds are made of: limits of a process, addresses that are capped, memory, ticks.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode, PrepressError } from '../../../../src/base/errors.ts';
import {
  cappedAddress,
  type TrustProxy,
} from '../../../../src/serve/server/connections/client-address.ts';
import { createPace } from '../../../../src/serve/server/connections/pace.ts';
import { createResponseBuffers } from '../../../../src/serve/server/connections/response-buffers.ts';
import { responseLimits } from '../../../../src/serve/server/connections/response-limits.ts';
import { ProblemError, toProblem } from '../../../../src/serve/server/problems/problem.ts';
import { loadConfig } from '../../../../src/settings/load.ts';

test('connections and answers fit into the files that a process may open', () => {
  const defaults = loadConfig({ flags: {}, environment: {} });
  for (const openFiles of [1_000_000, 1_024]) {
    const { connectionsMax, answersMax } = responseLimits(defaults, openFiles);
    expect([connectionsMax, answersMax]).toEqual([512, 128]);
  }
  for (const openFiles of [1_024, 700, 512, 400, 256, 200]) {
    const large = { ...defaults, connectionsMax: 100_000, answersMax: 100_000 };
    for (const config of [defaults, large]) {
      const { connectionsMax, answersMax } = responseLimits(config, openFiles);
      expect(connectionsMax + answersMax).toBeLessThanOrEqual(openFiles - 128);
      expect(answersMax).toBeGreaterThanOrEqual(24);
      expect(connectionsMax).toBeGreaterThanOrEqual(48);
    }
  }
  expect(responseLimits(defaults, 1).connectionsMax).toBe(32);
  expect(responseLimits(defaults).connectionsMax).toBeGreaterThan(31);
});

const requestFrom = (peer: string, forwarded?: string): IncomingMessage => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
};

const NOBODY: TrustProxy = () => false;
const ONE_HOP: TrustProxy = (_address, hop) => hop === 0;
const PROXIES: TrustProxy = (address) => address.startsWith('10.');

test.each([
  ['127.0.0.1', undefined, NOBODY, null],
  ['127.9.9.9', '203.0.113.7', NOBODY, null],
  ['::1', undefined, NOBODY, null],
  ['::ffff:127.0.0.1', undefined, NOBODY, null],
  ['203.0.113.7', undefined, NOBODY, '203.0.113.7'],
  ['203.0.113.7', '127.0.0.1', NOBODY, '203.0.113.7'],
  ['::ffff:203.0.113.7', undefined, NOBODY, '203.0.113.7'],
  ['2001:db8:0:1:2::9', undefined, NOBODY, '2001:db8:0:1::/64'],
  ['fe80::9%eth0', undefined, NOBODY, 'fe80::/64'],
  ['10.0.0.1', 'nonsense', PROXIES, 'no address'],
  ['10.0.0.1', '', PROXIES, 'no address'],
  ['10.0.0.1', '203.0.113.7:4711', PROXIES, '203.0.113.7'],
  ['127.0.0.1', '203.0.113.7', ONE_HOP, '203.0.113.7'],
  ['127.0.0.1', '127.0.0.1, 203.0.113.7', ONE_HOP, '203.0.113.7'],
  ['127.0.0.1', '127.0.0.1', ONE_HOP, '127.0.0.1'],
  ['127.0.0.1', undefined, ONE_HOP, null],
  ['10.0.0.1', '203.0.113.7, 10.0.0.2', PROXIES, '203.0.113.7'],
  ['10.0.0.1', '10.0.0.3,10.0.0.2', PROXIES, '10.0.0.3'],
  ['203.0.113.9', '203.0.113.7', PROXIES, '203.0.113.9'],
])('a request from %s for %s is capped by address', (peer, forwarded, isTrusted, address) => {
  expect(cappedAddress(requestFrom(peer, forwarded), isTrusted)).toBe(address);
});

const createResponse = (): ServerResponse => new ServerResponse(requestFrom('127.0.0.1'));

test('a body counts once, until the last answer that sends it has ended', () => {
  const memory = createResponseBuffers(1_000_000);
  const [one, other, third] = [createResponse(), createResponse(), createResponse()];
  const body = Buffer.alloc(600_000);
  expect([memory.hold(one, body), memory.hold(other, body)]).toEqual([true, true]);
  expect(memory.hold(third, Buffer.alloc(600_000))).toBe(false);
  memory.leave(one);
  memory.leave(one);
  expect(memory.hold(third, Buffer.alloc(600_000))).toBe(false);
  memory.leave(other);
  expect(memory.hold(third, Buffer.alloc(600_000))).toBe(true);
  expect([memory.takeRefusals(), memory.takeRefusals()]).toEqual([2, 0]);
});

test('streams and bodies in the making count, too', async () => {
  const memory = createResponseBuffers(1_000_000);
  const responses = Array.from({ length: 9 }, createResponse);
  const held = responses.map((response) => memory.holdStream(response, 0));
  expect(held).toEqual([...Array(7).fill(true), false, false]);
  const made = memory.during(200_000, async () => 'made');
  await expect(made).rejects.toMatchObject({ problem: { status: 503 } });
  for (const response of responses.slice(0, 2)) memory.leave(response);
  const failing = memory.during(200_000, async () => {
    throw new Error('unmade');
  });
  await expect(failing).rejects.toThrow('unmade');
  expect(await memory.during(200_000, async () => 'made')).toBe('made');
});

test('in one tick so many steps are taken, in their order', async () => {
  const taken: number[] = [];
  const pace = createPace<number>(3, (step) => taken.push(step));
  for (let step = 0; step < 10; step += 1) pace.take(step);
  expect(taken).toEqual([0, 1, 2]);
  await new Promise(setImmediate);
  expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
  pace.leaveTick();
  pace.take(10);
  await new Promise(setImmediate);
  expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
  await new Promise(setImmediate);
  expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  await new Promise(setImmediate);
  expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('not all ticks are left to others', async () => {
  const taken: number[] = [];
  const pace = createPace<number>(3, (step) => taken.push(step));
  for (let step = 0; step < 5; step += 1) pace.take(step);
  for (let round = 0; round < 64; round += 1) {
    expect(taken).toHaveLength(3);
    pace.leaveTick();
    await new Promise(setImmediate);
  }
  expect(taken).toEqual([0, 1, 2, 3]);
});

test('a file that cannot be opened because too many are is 503', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const problem = toProblem(Object.assign(new Error('open'), { code }), null);
    expect(problem).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  }
  expect(toProblem(Object.assign(new Error('open'), { code: 'EACCES' }), null).status).toBe(500);
  expect(toProblem(new ProblemError({ status: 400, type: 'x', message: '' }), null).status).toBe(
    400,
  );
});

const coded = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code} at /private/place`), { code, ...more });

test.each([
  [coded('SQLITE_FULL'), 'DATABASE_UNWRITABLE', 'The disk of the database is full (SQLITE_FULL).'],
  [
    coded('SQLITE_IOERR_WRITE'),
    'DATABASE_UNWRITABLE',
    'The publishing database can no longer be read or written.',
  ],
  [coded('ENOSPC'), 'FILE_FAILED', 'The disk is full, or out of inodes (ENOSPC).'],
  [coded('EDQUOT'), 'FILE_FAILED', 'The disk has no room left for this user (EDQUOT).'],
  [
    new PrepressError('FILE_FAILED', 'EROFS at /private/place.', { cause: coded('EROFS') }),
    'FILE_FAILED',
    'The disk can only be read (EROFS).',
  ],
  [
    new PrepressError('OUTPUT_UNWRITABLE', 'The file /private/place cannot be written: EACCES.', {
      cause: coded('EACCES', { syscall: 'copyfile', path: '/private/place' }),
    }),
    'FILE_FAILED',
    'The server may not read or write a file that its log names (EACCES).',
  ],
  [
    coded('EPERM', { syscall: 'mkdir', path: '/private/place' }),
    'FILE_FAILED',
    'The server may not read or write a file that its log names (EPERM).',
  ],
])('a disk not to be written is 503 with the reason and no place: %s', (error, code, message) => {
  const problem = toProblem(error, 'save post');
  expect(problem).toEqual({
    status: 503,
    type: 'MaintenanceError',
    code,
    message,
    context: expect.stringMatching(/Check space(?: and|,) permissions/),
  });
});

test('a list that takes too long is 503 with what to do', () => {
  const late = new PrepressError('LIST_TOO_SLOW', 'The list could not be read within 2 s.');
  expect(toProblem(late, 'list members')).toEqual({
    status: 503,
    type: 'MaintenanceError',
    message: 'The list could not be read within 2 s.',
    context: expect.stringContaining('fewer conditions'),
  });
});

test('the server answers each error with the status that the documentation names', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const found = codes.map((code) => [code, toProblem(new PrepressError(code, 'x'), null).status]);
  expect(found).toEqual(codes.map((code) => [code, ERRORS[code].status]));
});
