// Names of nginx's variables. They are known in all of its `http` block, so each publication has its own. Short ones: nginx warns
// when its table of names has too few places for long ones.
import type { HostSite } from '../host.ts';
import { placeId } from '../rules/publication-name.ts';

export type NameVariable = (name: string) => string;

export const variablesOf = (site: Pick<HostSite, 'root' | 'basePath'>): NameVariable => {
  const prefix = `p_${placeId(site)}_`;
  return (name) => `${prefix}${name.replaceAll('-', '_')}`;
};

/** Code for njs that answers what has no file. */
export type NginxCode = {
  readonly file: string;
  /** Where nginx finds that. */
  readonly folder: string;
};
