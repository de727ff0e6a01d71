// Opens a snapshot by the path of its file.

import type { Snapshot } from './snapshot.ts';
import { openSqliteSnapshot } from './sqlite/snapshot.ts';

/** A snapshot on a connection of its own, for threads that only read: they need no store. */
export const openSnapshot = (path: string): Snapshot => openSqliteSnapshot(path);
