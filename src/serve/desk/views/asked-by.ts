// Who asked for a build, as the list of builds says it before the time.

const HOOK = 'hook ';

/** Empty for a build that a change led to, which nobody asked for. */
export const askedBy = (requestedBy: string): string => {
  if (requestedBy === 'publisher') return '';
  if (requestedBy === 'admin') return 'asked for with an admin key, ';
  return requestedBy.startsWith(HOOK)
    ? `asked for by the hook “${requestedBy.slice(HOOK.length)}”, `
    : `asked for by ${requestedBy}, `;
};
