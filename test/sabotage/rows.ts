// The table of sabotages.

import type { Row } from './row.ts';
import { RELIABILITY_ROWS } from './rows-reliability.ts';
import { SECURITY_ROWS } from './rows-security.ts';
import { WEBHOOK_ROWS } from './rows-webhooks.ts';

export const ROWS: readonly Row[] = [...RELIABILITY_ROWS, ...SECURITY_ROWS, ...WEBHOOK_ROWS];
