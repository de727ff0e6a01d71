// The part of Eleventy's configuration object that the plugin uses; Eleventy ships no types.

export type BuildEvent = {
  readonly directories: { readonly input: string; readonly output: string };
  readonly runMode: 'build' | 'serve' | 'watch';
  /** `fs` writes files; the others only report what was rendered. */
  readonly outputMode: 'fs' | 'json' | 'ndjson';
  readonly incremental: boolean;
};

export type Rendered = {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly content: string | Buffer;
};

export type AfterEvent = BuildEvent & { readonly results: readonly Rendered[] };

/** Percent-encoded address in the output, with its leading slash -> copied file. */
export type CopiedEvent = { readonly map: Readonly<Record<string, string>> };

export type EleventyConfig = {
  readonly versionCheck: (range: string) => void;
  readonly logger?: {
    readonly logWithOptions: (line: {
      readonly message: string;
      readonly prefix: string;
      readonly type?: 'log' | 'warn';
      /** Also in quiet mode. */
      readonly force: boolean;
    }) => void;
  };
  readonly addPlugin: (
    plugin: (config: EleventyConfig, options: never) => void,
    options?: unknown,
  ) => void;
  /** Called for every page that was rendered; `outputPath` is false where it is written nowhere. */
  readonly addTransform: (
    name: string,
    change: (
      this: { readonly page: { readonly outputPath: string | false } },
      content: string,
    ) => string,
  ) => void;
  readonly addGlobalData: (name: string, data: () => unknown) => void;
  readonly setInputDirectory: (folder: string) => void;
  readonly setOutputDirectory: (folder: string) => void;
  readonly setUseGitIgnore: (isUsed: boolean) => void;
  readonly setUseTemplateCache: (isUsed: boolean) => void;
  readonly ignores: Set<string>;
  readonly on: {
    (event: 'eleventy.before', listener: (event: BuildEvent) => Promise<void>): void;
    (event: 'eleventy.after', listener: (event: AfterEvent) => Promise<void>): void;
    (event: 'eleventy.passthrough', listener: (event: CopiedEvent) => void): void;
  };
};
