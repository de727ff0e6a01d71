declare module '@11ty/eleventy' {
  export class Eleventy {
    constructor(
      input: string | undefined,
      output: string | undefined,
      options: {
        readonly source: 'script';
        readonly runMode: 'build';
        readonly quietMode: boolean;
        /** Empty: no configuration file is read. */
        readonly configPath: string;
        /** Runs before the configuration file. */
        readonly config: (config: import('./eleventy-config.ts').EleventyConfig) => void;
      },
    );
    /** Known after `init`. */
    readonly directories: { readonly output: string };
    disableLogger(): void;
    init(): Promise<void>;
    write(): Promise<unknown>;
    /** Renders without writing. */
    toJSON(): Promise<readonly import('./eleventy-config.ts').Rendered[]>;
  }
}
