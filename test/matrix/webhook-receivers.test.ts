// The receivers of examples/webhooks take what Prepress signs, with either secret of a rotation, and refuse what somebody
// changed, signed with another secret or kept for too long.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signatureHeaders } from '../../src/publish/webhooks/sending/signatures.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { freePort, missing } from './program.ts';
import { startProgram } from './start-program.ts';

const FOLDER = join(import.meta.dirname, '../../examples/webhooks');
const SECRET = `whsec_${Buffer.from('a secret of the receivers').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret of somebody').toString('base64')}`;
const BODY = '{"event":"post.published","post":{"current":{"title":"Grüße"}}}';

type Command = (file: string, port: number) => readonly string[];

const RECEIVERS: readonly (readonly [string, string, Command])[] = [
  ['node', 'receiver.mjs', (file) => ['node', file]],
  ['python3', 'receiver.py', (file) => ['python3', file]],
  ['php', 'receiver.php', (file, port) => ['php', '-S', `127.0.0.1:${port}`, file]],
];

const start = async (file: string, command: Command): Promise<string> => {
  const port = await freePort();
  const environment = { PORT: String(port), WEBHOOK_SECRET: SECRET };
  const cwd = temporaryFolder();
  const program = await startProgram(command(file, port), { cwd, port, environment });
  onTestFinished(program.end);
  return `http://127.0.0.1:${port}/hook`;
};

const post = async (url: string, secrets: string[], { body = BODY, now = Date.now() } = {}) => {
  const headers = signatureHeaders({ id: 'msg_1', body: BODY, now }, secrets);
  return (await fetch(url, { method: 'POST', headers, body })).status;
};

const expectVerified = async (url: string): Promise<void> => {
  expect(await post(url, [SECRET])).toBe(204);
  expect(await post(url, [OTHER, SECRET])).toBe(204);
  expect(await post(url, [OTHER])).toBe(401);
  expect(await post(url, [SECRET], { body: BODY.replace('Gr', 'gr') })).toBe(401);
  expect(await post(url, [SECRET], { now: Date.now() - 3_600_000 })).toBe(401);
  expect((await fetch(url, { method: 'POST', body: BODY })).status).toBe(401);
};

describe.each(RECEIVERS)('%s', (program, name, command) => {
  const reason = missing(program, `apt-get install ${program === 'php' ? 'php-cli' : program}`);
  test.skipIf(reason !== null)(`verifies${reason === null ? '' : ` (${reason})`}`, async () => {
    await expectVerified(await start(join(FOLDER, name), command));
  });

  // PHP's own server starts the file at each request.
  test.skipIf(reason !== null || program === 'php')('without a secret it says so', () => {
    const [run = '', ...args] = command(join(FOLDER, name), 0);
    const { status, stderr } = spawnSync(run, args, {
      env: { ...process.env, WEBHOOK_SECRET: '' },
      encoding: 'utf8',
    });
    expect([status, stderr.trim()]).toEqual([
      1,
      'Set WEBHOOK_SECRET to the secret of the webhook: whsec_...',
    ]);
  });
});
