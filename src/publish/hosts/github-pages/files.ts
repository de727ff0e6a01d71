// GitHub Pages needs one file: without it, names that begin with an underscore or a dot are left out.
import type { HostFile, HostSite } from '../host.ts';

export const githubPagesFiles = ({ basePath }: HostSite): HostFile[] => [
  { path: `${basePath}/.nojekyll`.slice(1), text: '' },
];
