// Tests of one PostgreSQL.
import { afterAll, beforeAll, describe } from 'vitest';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { type Postgres, postgresReason, startPostgres } from './start-postgres.ts';

/** They are in a folder of their own. */
export const describePostgres = (tests: (server: Postgres, suiteFolder: string) => void): void => {
  const reason = postgresReason();
  const skipped = reason === null ? '' : ` (skipped: ${reason})`;
  describe.skipIf(reason !== null)(`PostgreSQL${skipped}`, () => {
    const suite = suiteFolder();
    let started: Awaited<ReturnType<typeof startPostgres>>;
    beforeAll(async () => {
      started = await startPostgres(suite.path);
    });
    afterAll(async () => {
      await started?.end();
      suite.remove();
    });
    const server: Postgres = {
      create: (options) => started.create(options),
      connect: (address) => started.connect(address),
      restart: () => started.restart(),
      stop: () => started.stop(),
    };
    tests(server, suite.path);
  });
};
