// Opens what differs between a source and what was taken of it.
import { openSqliteDifference } from '../sqlite/difference.ts';
import type { Difference } from './difference.ts';

/** An empty one, which `close` removes. */
export const openDifference = (): Difference => openSqliteDifference();
