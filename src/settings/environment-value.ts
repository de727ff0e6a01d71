// Values that a command takes from the environment, under the names that its line gives.

/** Undefined for a variable that is absent or empty. */
export const findVariable = (name: string): string | undefined => process.env[name] || undefined;
