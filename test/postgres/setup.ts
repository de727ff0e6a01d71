// Before each test that runs on PostgreSQL, too: without one it is skipped, and says so.
import { beforeEach, inject } from 'vitest';

beforeEach(({ skip }) => {
  if (inject('postgres') === undefined) skip(inject('postgresReason'));
});
