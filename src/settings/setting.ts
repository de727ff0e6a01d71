// What one entry of the table of settings is made of.
import type * as z from 'zod';

export type Setting<T> = {
  readonly schema: z.ZodType<T>;
  /** The default as the reader of the table sees it. */
  readonly shownDefault: string;
  readonly help: string;
  /** Never printed by `status` or `--json`. */
  readonly isSecret: boolean;
};

export const setting = <T>(
  schema: z.ZodType<T>,
  shownDefault: string,
  help: string,
): Setting<T> => ({ schema, shownDefault, help, isSecret: false });

export const secret = <T>(
  schema: z.ZodType<T>,
  shownDefault: string,
  help: string,
): Setting<T> => ({
  ...setting(schema, shownDefault, help),
  isSecret: true,
});
