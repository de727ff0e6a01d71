// Packages that few publications need. The installation leaves them out; whoever needs one is told its name and the
// command that installs it. A test holds package.json to these versions.
import { PrepressError } from './errors.ts';

export const OPTIONAL_PACKAGES = {
  '@11ty/eleventy': '3.1.7',
  '@aws-sdk/client-cloudfront': '3.1162.0',
  '@aws-sdk/client-s3': '3.1169.0',
  mysql2: '3.24.6',
  pg: '8.23.1',
} as const;

/** The SQLite driver of Node.js 20, which a project on it has among its dependencies. */
export const NODE_20_DRIVER = {
  name: 'better-sqlite3-node20',
  spec: 'npm:better-sqlite3@12.11.1',
} as const;

type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/**
 * Imports a package, or a module of ours that needs it. Throws PACKAGE_MISSING when it is not installed. `purpose` begins
 * the sentence: "Targets s3://".
 */
export const loadOptional = async <T>(
  name: OptionalPackage,
  purpose: string,
  load: () => Promise<T>,
): Promise<T> => {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    const command = `npm install ${name}@${OPTIONAL_PACKAGES[name]}`;
    const sentence = `${purpose} need the package ${name}, which is not installed. Run "${command}".`;
    throw new PrepressError('PACKAGE_MISSING', sentence, { cause });
  }
};

/** Not a package that this one needs in turn. */
const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'${name}'`);
