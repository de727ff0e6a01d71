#!/usr/bin/env node
// Where the program starts. It loads the command line itself, so that what cannot be loaded, for want of open
// files say, is told of in one sentence.
try {
  await import('./main.ts');
} catch (error) {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  process.stderr.write(
    `prepress: ${code} at ${syscall} of ${path}; the program cannot be loaded.\n`,
  );
  process.exitCode = 1;
}
