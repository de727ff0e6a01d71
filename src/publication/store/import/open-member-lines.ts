// Opens what keeps the lines of an import of members.
import { openSqliteMemberLines } from '../sqlite/member-lines.ts';
import type { MemberLines } from './member-lines.ts';

/** An empty one, which `close` removes. */
export const openMemberLines = (): MemberLines => openSqliteMemberLines();
