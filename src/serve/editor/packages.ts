// The packages that know Ghost's editor formats. They are optional: whoever saves html alone needs none of them.
import { createRequire } from 'node:module';

/** The newest that run on Node.js 20.19; a test holds the development dependencies to them. */
export const FORMAT_PACKAGES = {
  '@tryghost/kg-default-nodes': '2.1.5',
  '@tryghost/kg-lexical-html-renderer': '1.4.5',
  '@tryghost/kg-html-to-lexical': '1.3.5',
  '@tryghost/kg-converters': '1.2.5',
} as const;

export const INSTALL_COMMAND = `npm install ${Object.entries(FORMAT_PACKAGES)
  .map(([name, version]) => `${name}@${version}`)
  .join(' ')}`;

/** As Node.js finds packages from `place`, the address of a file. */
export const hasFormatPackages = (place: string): boolean => {
  const { resolve } = createRequire(place);
  return Object.keys(FORMAT_PACKAGES).every((name) => {
    try {
      return resolve(name) !== '';
    } catch {
      return false;
    }
  });
};
