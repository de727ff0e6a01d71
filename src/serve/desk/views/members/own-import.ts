// The long import that was begun at this browser: it is asked for again when its view or page was left meanwhile. Its
// result stays on the server alone.
import { BASE } from '../../api.ts';

const NAME = `prepress-import ${BASE}/`;

/** The id of its work. */
export const findImport = (): string | null => {
  try {
    return localStorage.getItem(NAME);
  } catch {
    // Storage is off.
    return null;
  }
};

/** Null: there is none any more. */
export const keepImport = (id: string | null): void => {
  try {
    if (id === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, id);
  } catch {
    // It is full, or off: the result is shown while its view is open.
  }
};
