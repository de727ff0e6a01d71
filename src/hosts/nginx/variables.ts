// Names of nginx's variables. They are known in all of its `http` block, so each site has its own. Short ones: nginx warns
// when its table of names has too few places for long ones.
import { createHash } from 'node:crypto';
import type { HostSite } from '../host.ts';

export type NameVariable = (name: string) => string;

export const variablesOf = ({ output, basePath }: HostSite): NameVariable => {
  const site = createHash('sha256').update(`${output}\0${basePath}`).digest('hex').slice(0, 4);
  return (name) => `p_${site}_${name.replaceAll('-', '_')}`;
};
