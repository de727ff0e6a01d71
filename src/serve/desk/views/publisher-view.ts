// What `GET /admin/state/` answers, as far as the desk shows it. The answer is free in form: what a server leaves out is
// filled in here.
import type { SERVER_ROLES } from '../../contract/server-roles.ts';

export type PublisherView = {
  readonly state: string;
  readonly progress: { readonly records: number; readonly total: number } | null;
  /** Of the newest cycle. */
  readonly lastReport: {
    readonly warnings: readonly string[];
    readonly clockWarning: string | null;
  } | null;
  /** The newest build that changed the output, whichever program made it. */
  readonly lastChange: LastChange | null;
  /** Of the newest build of the server that changed files. */
  readonly changedFiles: {
    readonly generation: number;
    /** Null after a full build. */
    readonly names: FileNames | null;
  } | null;
  readonly lastError: { readonly message: string } | null;
  readonly pages: { readonly lastError: { readonly message: string } | null };
  /** Of the whole output; null before the first build. */
  readonly tree: { readonly files: number; readonly bytes: number } | null;
  readonly deploys: readonly Deploy[];
  readonly heldPosts: readonly string[];
  readonly setAside: readonly { readonly message: string }[];
  /** Of a publication in PostgreSQL; null: it does not answer. */
  readonly servers: readonly ServerView[] | null;
};

export type ServerView = {
  readonly name: string;
  readonly version: string;
  readonly role: keyof typeof SERVER_ROLES;
  readonly position: number;
  readonly lagMs: number | null;
  readonly clockMs: number;
  readonly silentMs: number;
  readonly isSilent: boolean;
  readonly settingsDiffer: readonly string[];
};

export type LastChange = {
  readonly generation: number;
  readonly finishedAt: string | null;
  readonly records: number;
  readonly milliseconds: number;
  readonly files: { readonly written: number; readonly removed: number };
};

export type FileNames = {
  readonly written: readonly string[];
  readonly removed: readonly string[];
};

export type Deploy = {
  readonly target: string;
  readonly state: string;
  readonly generation: number | null;
  readonly newest: number;
  /** When it got the last one. */
  readonly carriedAt: string | null;
  readonly lastError: { readonly message: string } | null;
  readonly nextTryAt: string | null;
};
