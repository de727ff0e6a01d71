// Settings of libraries that only read them from the environment.

/** What somebody has set stays. */
export const presetVariable = (name: string, value: string): void => {
  process.env[name] ??= value;
};
