// What each server of a publication in PostgreSQL does, in the words of `status` and the desk.
export const SERVER_ROLES = {
  leader: 'leads',
  other: 'saves and builds',
  reader: 'only reads',
} as const;
