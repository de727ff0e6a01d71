// Opens the stage of an import.
import { openSqliteStage } from '../sqlite/import-stage.ts';
import type { Stage } from './import-stage.ts';

/** An empty one, which `close` removes. */
export const openStage = (): Stage => openSqliteStage();
