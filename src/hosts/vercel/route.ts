// A route of the Build Output, as far as it is used here.

/** A parameter of the query, and a pattern of its value. */
export type Condition = { readonly type: 'query'; readonly key: string; readonly value: string };

export type Route = {
  readonly src?: string;
  readonly handle?: 'filesystem' | 'hit' | 'error';
  readonly dest?: string;
  /** Name of a function that is asked first. */
  readonly middlewarePath?: string;
  readonly methods?: readonly string[];
  readonly has?: readonly Condition[];
  readonly missing?: readonly Condition[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly continue?: boolean;
  readonly check?: boolean;
};
