// Takes the place of publish/output/session/record-file-writer.ts in the programs of the part `packed`: no record has files
// of its own, so that the packed tree of a million posts fits on a disk.
import type * as original from '../src/publish/output/session/record-file-writer.ts';

export const createRecordFileWriter: typeof original.createRecordFileWriter = () => ({
  put: () => undefined,
  take: () => ({ written: 0, staged: [] }),
});
