#!/usr/bin/env node
// Where the program starts. It says which Node.js it needs before it loads anything that an older one cannot read, and loads
// the command line itself, so that it can say in one sentence what cannot be loaded, for want of open files say.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

const start = async (): Promise<void> => {
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
};

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `prepress: Node.js 20.19 or newer is needed, and this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else await start();
