// A reader of PostgreSQL's log that a test ends at any moment: it moves a read model on as fast as commits come.
import { openConnection } from '../../src/base/sqlite/connection.ts';
import { scopeOf } from '../../src/publication/store/postgres/read-model-file.ts';
import { openSession } from '../../src/publication/store/postgres/session.ts';
import { tail } from '../../src/publication/store/postgres/tail.ts';

const [path = '', address = ''] = process.argv.slice(2);
const session = await openSession(address);
const connection = openConnection(path, { mustExist: true });
connection.pragma('foreign_keys = OFF');
process.send?.('reads');
for (;;) {
  const found = await tail(session, connection, scopeOf(false));
  if (found === 'lost') throw new Error('The log does not hold the position of the file.');
  if (found === 'current') await session.query('SELECT pg_sleep(0.005)');
}
