// The settings as a Markdown table, for docs/settings.md; a test keeps the two equal.
import { environmentName, SETTING_NAMES, SETTINGS } from './settings.ts';

export const settingsTable = (): string =>
  [
    '| setting | environment | default | meaning |',
    '| --- | --- | --- | --- |',
    ...SETTING_NAMES.map((name) => {
      const { shownDefault, help } = SETTINGS[name];
      return `| \`${name}\` | \`${environmentName(name)}\` | ${shownDefault} | ${help} |`;
    }),
  ].join('\n');
