// Varnish: VCL in front of any server of the files.
import type { Host } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  otherQueryNotes,
} from '../limits/limitations.ts';
import { isRoutable } from '../rules/addresses.ts';
import { placeId } from '../rules/publication-name.ts';
import { RULES_FILE, varnishFiles } from './files.ts';

export const varnish: Host = {
  name: 'varnish',
  title: 'Varnish (VCL)',
  place: 'aside',
  isReloaded: true,
  readsAsUser: true,
  test: ({ rules, folder }) => ({
    text: '',
    command: ['varnishd', '-j', 'none', '-C', '-n', folder, '-f', `${rules}/${RULES_FILE}`],
  }),
  limits: {},
  nameIn: (site) => `prepress_${placeId(site)}`,
  use: `In a VCL of your own, after its backends:
  include "{folder}/prepress.vcl";
Then: varnishreload. The setting hostOrigin, or --origin, names the server behind it.
Where each of several publications has a host name, load each as a label, and choose in a VCL of your own:
  vcl.load {name}_files "{folder}/prepress.vcl"
  vcl.label {name} {name}_files
  sub vcl_recv { if (req.http.host == "content.example.com") { return (vcl({name})); } }`,
  limitations: (site) => [
    'A change is seen after ten seconds; at once after PURGE of its address, or of /content/*, by a program of the same machine, for instance with the list of data/changes.json. Tags of the companion server are read where a VCL of your own uses xkey. If the server behind does not answer, documents are still sent for an hour.',
    'Before the companion server: set contentKey to optional there, since cached documents are sent to everybody.',
    'Queries are read up to 1,500 characters; a longer one counts as a query that no file answers.',
    ...otherQueryNotes(site, 'http'),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    ...lostNames(site.names, isRoutable),
  ],
  files: async (site) => varnishFiles(site),
};
