// Queries that go to the companion server, in the language of Varnish.
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import type { HostSite } from '../host.ts';
import { companionOf } from '../rules/other-queries.ts';
import { placeId } from '../rules/publication-name.ts';
import { passLines } from './address-rules.ts';

const NOTHING = { request: '', miss: '', response: '', delivery: '' };

/** Parts of the rules, each empty where there is no companion server. */
export const passedQueries = (site: HostSite): typeof NOTHING =>
  companionOf(site) === null
    ? NOTHING
    : {
        /** Queries for the companion server: asked for again each time; while it is away something older is sent. */
        request: `    if (req.restarts > 0 && req.http.X-Prepress-Passed == "${placeId(site)}") {
        set req.backend_hint = prepress_${placeId(site)}_companion;
        # Nobody waits for the question of another reader.
        set req.hash_ignore_busy = true;
        if (req.http.X-Prepress-Older) {
            set req.grace = ${site.queries.staleSeconds}s;
        } else {
            set req.grace = 0s;
        }
        return (hash);
    }
`,

        /** The server did not answer, and nothing young enough was kept. */
        miss: `sub vcl_miss {
    if (req.http.X-Prepress-Passed == "${placeId(site)}" && req.http.X-Prepress-Older) {
        return (synth(503));
    }
}

`,

        response: `    if (bereq.http.X-Prepress-Passed == "${placeId(site)}") {
        if (beresp.status >= 500) {
            return (abandon);
        }
        # What has no time to live at all counts as purged.
        set beresp.ttl = 0.001ms;
        if (beresp.status == 200) {
            set beresp.grace = ${site.queries.staleSeconds}s;
            set beresp.keep = 1h;
        } else {
            set beresp.uncacheable = true;
        }
        return (deliver);
    }
`,

        delivery: `    if (req.http.X-Prepress-Passed == "${placeId(site)}") {
        unset resp.http.Age;
    }
    # A page past the last one has no file.
    if (req.http.X-Prepress == "${placeId(site)}" && resp.status == 404 && req.restarts == 0 && req.http.X-Prepress-Path ~ "/$" && req.url ~ "^${site.basePath}/content/(?:${RESOURCES.join('|')})/page-") {
        set req.url = regsub(req.http.X-Prepress-Path, "^.*/content/", "${site.basePath}/content/");
${passLines(site)
  .map((line) => `        ${line}\n`)
  .join('')}    }
`,
      };
