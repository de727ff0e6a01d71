// A program that follows a Ghost database is killed at random moments while that is edited: it settles on what a clean
// import and build give, and no event is lost. With PREPRESS_BATTERY=long 200 edits and 20 kills.
import { describe, expect, onTestFinished, test } from 'vitest';
import { followThroughKills } from '../battery/checks/followed-kills.ts';
import { COMMAND } from '../battery/program.ts';
import { IS_LONG, sayRow, sized } from '../battery/size.ts';
import { fillFromSqlite } from '../helpers/fill-mariadb.ts';
import { openGhostFile, openGhostServer, placeGhostDatabase } from '../helpers/ghost-shell.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { MARIADB_INSTALL, startMariadb } from '../matrix/mariadb-process.ts';
import { missing } from '../matrix/program.ts';

const SIZE = sized({ short: { edits: 20, kills: 2 }, long: { edits: 200, kills: 20 } });

test(`a SQLite file (seed ${SEED})`, async () => {
  const address = placeGhostDatabase(temporaryFolder());
  const ghost = openGhostFile(address);
  onTestFinished(ghost.close);
  const run = { program: COMMAND, address, ghost, random: createRandom(SEED), ...SIZE };
  const { events } = await followThroughKills(run);
  if (IS_LONG) expect(events).toBeGreaterThan(0);
  sayRow('following a SQLite file', { ...SIZE, events, lost: 0 });
});

const reason = missing('mariadbd', MARIADB_INSTALL);

describe.skipIf(reason !== null)(`MariaDB${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test(`a database of a server (seed ${SEED})`, async () => {
    const folder = temporaryFolder();
    const server = await startMariadb(folder);
    onTestFinished(server.end);
    await fillFromSqlite(server.root, 'ghost', placeGhostDatabase(folder));
    const ghost = await openGhostServer(await server.connect('ghost'));
    onTestFinished(ghost.close);
    const address = await server.addressOf('ghost');
    const run = { program: COMMAND, address, ghost, random: createRandom(SEED), ...SIZE };
    const { events } = await followThroughKills(run);
    if (IS_LONG) expect(events).toBeGreaterThan(0);
    sayRow('following a database of MariaDB', { ...SIZE, events, lost: 0 });
  });
});
