// Refuses a save that was made on an older state of its record (decisions, Admin: 409).
import { PrepressError } from '../base/errors.ts';
import { parseStoredTime } from '../base/time.ts';

/** `given` null says that the client does not care. Throws UPDATE_COLLISION. */
export const refuseStale = (
  { stored, noun }: { readonly stored: string | number | null; readonly noun: string },
  given: number | null,
  changedFields: readonly string[],
): void => {
  const known = parseStoredTime(stored);
  if (given === null || known === null || known === given) return;
  throw new PrepressError(
    'UPDATE_COLLISION',
    `Saving failed! Someone else is editing this ${noun}.`,
    {
      details: {
        changedFields,
        clientUpdatedAt: new Date(given).toISOString(),
        serverUpdatedAt: new Date(known).toISOString(),
      },
    },
  );
};
