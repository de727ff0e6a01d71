// 100,000 members through a running server: imported, exported, labelled and deleted while others are answered, in
// memory that ten times as many members make little larger.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { memoryMb } from '../helpers/open-files.ts';
import { type Serving, signToken, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const FEW = 10_000;
const MANY = 100_000;
/** What a thread takes for itself differs from run to run. */
const SPARE_MB = 60;

let serving: Serving;
const folder = suiteFolder();

beforeAll(async () => {
  serving = await startServing(folder.path, { args: ['--sample'] });
});

afterAll(async () => {
  await serving.end();
  folder.remove();
});

const csvOf = (count: number): string =>
  `email,name,note,labels\n${Array.from(
    { length: count },
    (_, at) => `m${at}@example.com,=Member ${at},"A note, of some words","VIP,L${at % 20}"\n`,
  ).join('')}`;

const send = async (
  method: string,
  path: string,
  init: { readonly body: FormData | string; readonly headers?: Record<string, string> } | null,
): Promise<Response> =>
  serving.get(`/admin/members/${path}`, {
    method,
    ...init,
    headers: { ...init?.headers, authorization: `Ghost ${await signToken(folder.path)}` },
  });

const importMembers = (count: number): Promise<Response> => {
  const body = new FormData();
  body.append('membersfile', new Blob([csvOf(count)]), 'members.csv');
  return send('POST', 'upload/', { body });
};

/** The answer of what may be answered 202 first. */
const resultOf = async (response: Response): Promise<unknown> => {
  if (response.status !== 202) return response.json();
  const { job } = (await response.json()) as { job: { id: string } };
  return eventually(async () => {
    const shown = await send('GET', `bulk/${job.id}/`, null);
    const { result } = ((await shown.json()) as { job: { result: unknown } }).job;
    expect(result).not.toBeNull();
    return result;
  }, 200);
};

/** How many other requests were answered meanwhile. */
const answeredDuring = async (work: Promise<Response>): Promise<readonly [unknown, number]> => {
  let isDone = false;
  const done = work.then(resultOf).finally(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    if ((await serving.get('/health')).ok) answered += 1;
  }
  return [await done, answered];
};

test('100,000 members, in and out and gone', async () => {
  // The members of the sample go as well.
  await resultOf(await importMembers(FEW));
  await resultOf(await send('DELETE', '?all=true', null));
  const peak = memoryMb(serving.pid, 'VmHWM');

  const [imported, answered] = await answeredDuring(importMembers(MANY));
  expect(imported).toMatchObject({ meta: { stats: { imported: MANY, invalid: [] } } });
  expect(answered).toBeGreaterThan(200);

  const lines = (await (await send('GET', 'upload/', null)).text()).split('\r\n');
  expect(lines).toHaveLength(MANY + 1);
  expect(lines.every((line) => !line.includes(',=Member'))).toBe(true);

  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ bulk: { action: 'addLabel', meta: { label: { name: 'New' } } } });
  const [labelled, besideLabels] = await answeredDuring(
    send('PUT', 'bulk/?filter=label:l7', { body, headers }),
  );
  expect(labelled).toMatchObject({ bulk: { meta: { stats: { successful: 5_000 } } } });
  expect(besideLabels).toBeGreaterThan(5);

  const [gone, besideDeletes] = await answeredDuring(send('DELETE', '?all=true', null));
  expect(gone).toMatchObject({ meta: { stats: { successful: MANY } } });
  expect(besideDeletes).toBeGreaterThan(50);
  expect(memoryMb(serving.pid, 'VmHWM')).toBeLessThan(peak + SPARE_MB);
  expect(readdirSync(join(folder.path, 'data/uploads'))).toEqual([]);
});
