// The table of sabotages.
import type { Row } from './row.ts';
import { DATABASE_ROWS } from './rows-database.ts';
import { SECURITY_ROWS } from './rows-security.ts';
import { TREE_ROWS } from './rows-tree.ts';
import { WEBHOOK_ROWS } from './rows-webhooks.ts';

export const ROWS: readonly Row[] = [
  ...TREE_ROWS,
  ...DATABASE_ROWS,
  ...SECURITY_ROWS,
  ...WEBHOOK_ROWS,
];
