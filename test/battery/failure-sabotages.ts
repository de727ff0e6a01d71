// Sabotages of how failures are taken, for the rows in which something is refused.
import type { Sabotage } from './program.ts';

/** A file that cannot get its place is passed over. */
export const RENAMES_UNCHECKED: readonly Sabotage[] = [
  {
    file: 'src/emit/rename-staged.ts',
    replace: 'renameSync(temporary, path);',
    by: 'try { renameSync(temporary, path); } catch {}',
  },
];

/** Failures of the system, and of SQLite, pass for faults of Prepress: no sentence says what is wrong. */
export const FAILURES_UNNAMED: readonly Sabotage[] = [
  {
    file: 'src/base/disk-error.ts',
    replace: 'if (cause instanceof PrepressError || syscall === undefined) return cause;',
    by: "if (cause instanceof PrepressError || syscall !== '') return cause;",
  },
  {
    file: 'src/cli/report.ts',
    replace: 'if (code === undefined || syscall === undefined) return',
    by: "if (path !== '' || code === undefined || syscall === undefined) return",
  },
  {
    file: 'src/store/sqlite/database-fault.ts',
    replace: "if (cause instanceof PrepressError || !code.startsWith('SQLITE_')) return cause;",
    by: "if (cause instanceof PrepressError || code !== '') return cause;",
  },
  {
    file: 'src/store/sqlite/connection.ts',
    replace: 'const asDatabaseError = (cause: unknown, path: string): unknown => {',
    by: 'const asDatabaseError = (cause: unknown, path: string): unknown => {\n  if (path !== "") return cause;',
  },
];

export const DAMAGE_KEPT: Sabotage = {
  file: 'src/store/sqlite/manifest-db.ts',
  replace: 'if (!isUnfit(error) && !isForeign(error)) throw error;',
  by: 'if (!isForeign(error)) throw error;',
};

export const SUMS_UNREAD: Sabotage = {
  file: 'src/store/sqlite/manifest-sums.ts',
  replace: 'crc32(values.join(',
  by: '0 * crc32(values.join(',
};
