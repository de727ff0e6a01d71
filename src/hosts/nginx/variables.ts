// Names of nginx's variables. They are known in all of its `http` block, so each site has its own.
import { createHash } from 'node:crypto';
import type { HostSite } from '../host.ts';

export type NameVariable = (name: string) => string;

export const variablesOf = ({ output, basePath }: HostSite): NameVariable => {
  const site = createHash('sha256').update(`${output}\0${basePath}`).digest('hex').slice(0, 6);
  return (name) => `prepress_${site}_${name.replaceAll('-', '_')}`;
};
