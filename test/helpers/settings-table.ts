// The settings as a Markdown table, for docs/settings.md; a test keeps the two equal.
import { environmentName } from '../../src/settings/environment-name.ts';
import { SETTING_NAMES, SETTINGS } from '../../src/settings/settings.ts';

export const settingsTable = (): string =>
  [
    '| setting | environment | default | meaning |',
    '| --- | --- | --- | --- |',
    ...SETTING_NAMES.map((name) => {
      const { shownDefault, help } = SETTINGS[name];
      return `| \`${name}\` | \`${environmentName(name)}\` | ${shownDefault} | ${help} |`;
    }),
  ].join('\n');
