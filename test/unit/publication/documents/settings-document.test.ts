// The settings object: its keys, its defaults, and the rules of the fields that are not just stored.
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../../src/content/contract/settings.ts';
import { renderSettings } from '../../../../src/publication/documents/settings-document.ts';
import { type JsonRecord, parseRecord } from './json.ts';
import { SITE_URL } from './sources.ts';

const render = (values: Readonly<Record<string, string | null>>, siteUrl = SITE_URL) => {
  const document = parseRecord(renderSettings(new Map(Object.entries(values)), { siteUrl }));
  const record = document.settings as JsonRecord;
  expect(document).toEqual({ settings: record });
  expect(settingsSchema.parse(record)).toEqual(record);
  expect(Object.keys(record)).toEqual(Object.keys(settingsSchema.shape));
  return record;
};

describe('renderSettings', () => {
  it('has a value for every key of an empty publication', () => {
    expect(render({})).toMatchObject({
      title: '',
      description: '',
      logo: null,
      lang: 'en',
      timezone: 'Etc/UTC',
      navigation: [],
      secondary_navigation: [],
      members_support_address: 'noreply@press.test',
      url: 'https://press.test/',
    });
  });

  it.each([
    [{ locale: 'de', lang: 'fr' }, { lang: 'de' }],
    [{ locale: '', lang: 'fr' }, { lang: 'fr' }],
    [
      { accent_color: '', twitter: '@a' },
      { accent_color: null, twitter: '@a' },
    ],
    [{ logo: '__GHOST_URL__/content/images/l.png' }, { logo: `${SITE_URL}/content/images/l.png` }],
    [{ og_image: '/content/images/l.png' }, { og_image: `${SITE_URL}/content/images/l.png` }],
    [{ cover_image: 'https://e.test/c.png' }, { cover_image: 'https://e.test/c.png' }],
    [
      { icon: '__GHOST_URL__/content/images/2026/i.png' },
      { icon: `${SITE_URL}/content/images/size/w256h256/2026/i.png` },
    ],
    [{ icon: 'https://e.test/i.png' }, { icon: 'https://e.test/i.png' }],
    [
      { icon: '__GHOST_URL__/content/images/size/w60/i.png' },
      { icon: `${SITE_URL}/content/images/size/w60/i.png` },
    ],
    [{ navigation: 'no JSON' }, { navigation: [] }],
    [{ navigation: '{"label":"A","url":"/"}' }, { navigation: [] }],
    [
      { navigation: '[{"label":"A","url":"/a/","icon":"x"},null,{"label":"B"},"C"]' },
      { navigation: [{ label: 'A', url: '/a/' }] },
    ],
    [{ members_support_address: 'noreply' }, { members_support_address: 'noreply@press.test' }],
    [{ members_support_address: 'help' }, { members_support_address: 'help@press.test' }],
    [{ members_support_address: 'help@e.test' }, { members_support_address: 'help@e.test' }],
  ])('shows %j as %j', (values, expected) => {
    expect(render(values)).toMatchObject(expected);
  });

  it('keeps the path of the site, and leaves it and "www." out of the support address', () => {
    const site = 'https://www.press.test:8080/blog';
    expect(render({ logo: '/blog/content/images/l.png', og_image: '/i.png' }, site)).toMatchObject({
      logo: `${site}/content/images/l.png`,
      og_image: `${site}/i.png`,
      members_support_address: 'noreply@press.test',
      url: `${site}/`,
    });
  });

  it('shows no setting that the interface does not name', () => {
    const secrets = { password: 'XYZZY', stripe_secret_key: 'XYZZY', ghost_public_key: 'XYZZY' };
    expect(JSON.stringify(render(secrets))).not.toContain('XYZZY');
  });
});
