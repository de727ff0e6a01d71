// What a server hears of others: commits at once when PostgreSQL says so, else when it is asked again; and whose clock differs.
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { db } from '../../src/publication/store/db.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { openReadModel } from '../../src/publication/store/postgres/read-model.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describePostgres, pgbouncerReason, startPgbouncer } from './postgres-process.ts';

describePostgres((server) => {
  const placeOf = (address: string) => ({ address, isReader: false });
  const pathOf = (): string => join(temporaryFolder(), 'replica.db');
  const open = async (address: string, warnings: string[] = []): Promise<Store> => {
    const onWarning = (sentence: string) => void warnings.push(sentence);
    const given = { postgres: placeOf(address), mayLead: true, create: true, onWarning };
    const store = await openStore(pathOf(), given);
    onTestFinished(store.close);
    return store;
  };
  const openModel = async (address: string, pollMs?: number) => {
    const given = pollMs === undefined ? {} : { pollMs };
    const model = await openReadModel(pathOf(), placeOf(address), given);
    onTestFinished(() => model.close());
    return model;
  };
  const addTag = (store: Store, id: string): Promise<unknown> =>
    store.write((tx) =>
      sql`INSERT INTO tags (id, name, slug, created_at) VALUES (${id}, ${id}, ${id}, '2026')`.execute(
        db(tx),
      ),
    );
  const idOf = (n: number): string => n.toString(16).padStart(24, '0');
  const namesOf = async (store: Store): Promise<readonly string[]> => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM tags ORDER BY id`.execute(db(store));
    return rows.map(({ id }) => id);
  };

  test('a save is read by other servers before they ask again', async () => {
    const address = await server.create();
    const store = await open(address);
    const never = 2 ** 31 - 1;
    const model = await openModel(address, never);
    await model.becomeCurrent();
    await addTag(store, idOf(1));
    await eventually(() => expect(model.seen()).toBe(store.servers.seen()));
  });

  test('a clock that is not that of PostgreSQL is seen', async () => {
    const store = await open(await server.create());
    const hourMs = 3_600_000;
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + hourMs);
    onTestFinished(() => void vi.restoreAllMocks());
    store.servers.placed(store.servers.seen());
    await eventually(async () => {
      const [own] = (await store.servers.list()) ?? [];
      expect(Math.round((own?.clockMs ?? 0) / hourMs)).toBe(1);
    });
  });

  test.skipIf(pgbouncerReason() !== null)(
    'through a pooler in transaction mode commits are looked for, and the server says so once',
    async () => {
      const address = await startPgbouncer(await server.create());
      const warnings: string[] = [];
      const [one, other] = [await open(address, warnings), await open(address)] as const;
      for (let n = 1; n <= 5; n += 1) await addTag(n % 2 === 0 ? one : other, idOf(n));
      const expected = [1, 2, 3, 4, 5].map(idOf);
      await eventually(async () => expect(await namesOf(one)).toEqual(expected));
      await eventually(async () => expect(await namesOf(other)).toEqual(expected));
      expect(warnings).toEqual([expect.stringContaining('is behind a pooler')]);
      expect([one.leads(), other.leads()]).toEqual([true, false]);
    },
  );
});
