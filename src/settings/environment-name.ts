// How settings are called in the environment.
export const ENVIRONMENT_PREFIX = 'PREPRESS_';

/** Environment variable of a setting: `lists.max` is PREPRESS_LISTS_MAX. */
export const environmentName = (name: string): string =>
  `${ENVIRONMENT_PREFIX}${name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;
