import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { planMembersImport } from '../../../../src/publication/import/members-csv/members-csv.ts';
import { planBulkDelete, selectMembers } from '../../../../src/serve/admin/members/bulk-members.ts';
import { createMemberJobs } from '../../../../src/serve/server/member-jobs/member-jobs.ts';
import { runBulkJobs } from '../../../../src/serve/server/member-jobs/run-bulk-jobs.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('closing ends the job that runs and starts none of those that wait', async () => {
  const { folder, store } = await createPublication();
  const started = join(folder, 'started');
  const worker = join(folder, 'endless.mjs');
  const text = `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(started)}, 'x');
setInterval(() => undefined, 1_000);`;
  writeFileSync(worker, text);
  const quiet = { onRun: () => undefined, onError: () => undefined };
  const jobs = createMemberJobs(store, { ...quiet, workerFile: worker });
  const selection = { all: true } as never;
  const running = jobs.begin({ does: 'delete', nowMs: 0, selection });
  const waiting = jobs.begin({ does: 'delete', nowMs: 0, selection });
  const ends = [
    expect(running).rejects.toThrow(),
    expect(waiting).rejects.toMatchObject({ code: 'DATABASE_BUSY' }),
  ];
  await eventually(() => expect(existsSync(started)).toBe(true));
  await jobs.close();
  await Promise.all(ends);
  expect(readFileSync(started, 'utf8')).toBe('x');
});

test('what stopped is tried again though nothing is saved', async () => {
  const { insert, shell, store } = await createPublication();
  insert('members', {});
  await planBulkDelete({ store, nowMs: 1 }, selectMembers({ all: 'true' } as never, 1));
  let isFull = true;
  const write: typeof store.write = (...args) =>
    isFull
      ? Promise.reject(new PrepressError('DATABASE_UNWRITABLE', 'full'))
      : store.write(...args);
  const onError = vi.fn();
  const jobs = createMemberJobs(
    { ...store, write, leads: () => true },
    { onRun: () => undefined, onError, workerFile: null, retryMs: 0 },
  );
  jobs.watch();
  await eventually(() => expect(onError).toHaveBeenCalled());
  isFull = false;
  await eventually(() =>
    expect(shell.prepare('SELECT count(*) FROM members').pluck().get()).toBe(0),
  );
  await jobs.close();
});

test('an import that is asked for after a delete brings the members back', async () => {
  const { folder, insert, shell, store } = await createPublication();
  insert('members', { email: 'back@site.test' });
  await planBulkDelete({ store, nowMs: 1 }, selectMembers({ all: 'true' } as never, 1));
  const file = join(folder, 'members.csv');
  writeFileSync(file, 'email\nback@site.test\n');
  await planMembersImport(store, file);
  await runBulkJobs(store);
  const emails = shell.prepare('SELECT email FROM members').pluck();
  expect(emails.all()).toEqual(['back@site.test']);
});

test('a server drops at its start what a killed program never kept whole', async () => {
  const { insert, shell, store } = await createPublication();
  const kept = { kind: 'delete', change: '{}', report: '{}', created_at: Date.now() };
  insert('bulk_jobs', { ...kept, id: 'half', state: 'reading' });
  insert('bulk_jobs', { ...kept, id: 'whole', state: 'done' });
  const errors: unknown[] = [];
  const jobs = createMemberJobs(store, {
    onRun: () => undefined,
    onError: (error) => errors.push(error),
    workerFile: null,
  });
  jobs.watch();
  await eventually(() =>
    expect(shell.prepare('SELECT id FROM bulk_jobs').pluck().all()).toEqual(['whole']),
  );
  await jobs.close();
  expect(errors).toEqual([]);
});
