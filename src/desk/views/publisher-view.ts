// What `GET /admin/state/` answers, as far as the desk shows it. The answer is free in form: what a server leaves out is
// filled in here.

export type PublisherView = {
  readonly state: string;
  readonly progress: { readonly records: number; readonly total: number } | null;
  readonly lastReport: {
    readonly generation: number;
    readonly records: number;
    readonly milliseconds: number;
    readonly files: { readonly written: number; readonly removed: number };
    readonly warnings: readonly string[];
  } | null;
  readonly lastError: { readonly message: string } | null;
  /** Of the whole output; null before the first build. */
  readonly tree: { readonly files: number; readonly bytes: number } | null;
  readonly deploys: readonly Deploy[];
  readonly heldPosts: readonly string[];
  readonly setAside: readonly Readonly<Record<string, unknown>>[];
};

export type Deploy = {
  readonly target: string;
  readonly state: string;
  readonly generation: number | null;
  readonly newest: number;
  readonly lastError: { readonly message: string } | null;
  readonly nextTryAt: string | null;
};
