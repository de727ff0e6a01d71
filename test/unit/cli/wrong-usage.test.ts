// Wrong usages: a command line in, the exit code and the sentence out. Each sentence names the value and what to do.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { holdPresence } from '../../../src/publication/store/locks/deliverer-presence.ts';
import { writeServerSettings } from '../../../src/publish/cycle/server-settings.ts';
import { dataPathsOf } from '../../../src/settings/data-paths.ts';
import { loadConfig } from '../../../src/settings/load.ts';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import { suiteFolder } from '../../helpers/suite-folder.ts';

const NO_ID = '0'.repeat(24);

let folder = '';
let nowhere = '';
beforeAll(async () => {
  const suite = suiteFolder();
  folder = join(suite.path, 'publication');
  nowhere = join(suite.path, 'nowhere');
  for (const path of [folder, nowhere, join(folder, 'pictures')]) mkdirSync(path);
  await sayHere(folder, ['init', '--empty', '--site-url=https://site.test']);
  const files = {
    'random.db': 'eggs, rope, two lamps',
    'list.json': '[1]',
    'half.json': '{"db": [',
    'other.json': '{"name": "package"}',
    'none.json': '{"db": [{"meta": {"version": "6.0.0"}, "data": {"posts": []}}]}',
    'bare.json': '{"db": []}',
    'void.json': '',
    'people.csv': 'name,town\nAda,London\n',
    'taken.db': '',
    'bad.config.json': '{"port": 4000,}',
    'list.config.json': '[]',
    'typo.config.json': '{"ports": 4000}',
    'template.txt': 'no json',
    'unknown.json': '{"a": "{{nope}}"}',
    'redirects.txt': 'from: to',
    'redirects.yaml': '301:\n  /old/: /new/\n',
    'site.zip': 'PK',
    'dump.sql.gz': Buffer.from([0x1f, 0x8b, 0xff, 0xfe]),
    'people.xlsx': 'PK',
    'site.xml': '<rss></rss>',
    'root.config.json': '{"hostRoot": "www"}',
    'hosts.config.json': '{"hosts": ["ngnix"]}',
    'named.config.json': '{"hosts": "ngnix"}',
    'deploy.config.json': '{"deploy": "/srv/www"}',
    'site.config.json': '{"site": "yes"}',
    'url.config.json': '{"siteUrl": "www.site.test"}',
    'half.config.json': '{"site": true',
    'wide.config.json': Buffer.from('\ufeff{"port": 4000}', 'utf16le'),
    'links.config.json': '{"permalinks": "/posts/"}',
    'slash.config.json': '{"permalinks": "/blog/{slug}"}',
    'routes.yaml': 'routes:\ncollections:\n  /:\n    permalink: /{slug}/\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync('.', join(folder, 'linked'));
  return suite.remove;
});

type Wrong = readonly [line: string, code: 1 | 2, says: RegExp];

const USAGE: readonly Wrong[] = [
  ['nonsense', 2, /unknown command 'nonsense'\n.*"prepress --help" lists the commands/],
  ['biuld', 2, /unknown command 'biuld'\n\(Did you mean build\?\)/],
  ['hosts wirte nginx', 2, /unknown command 'wirte'\n\(Did you mean write\?\)/],
  ['clock acept', 2, /'acept'\n\(Did you mean accept\?\)\n"prepress clock --help" lists/],
  ['import redirect x', 2, /unknown command 'redirect'\n\(Did you mean redirects\?\)/],
  ['build --ful', 2, /unknown option '--ful'\n\(Did you mean --full\?\)/],
  ['serve --port', 2, /'--port <number>' .*missing\nFor example: prepress serve --port 8080/],
  ['follow a.db --watch', 2, /option '--watch'\n"prepress follow --help" lists the options/],
  ['build --output', 2, /argument missing\n"prepress build --help" lists the options/],
  ['keys create --type', 2, /argument missing\nFor example: prepress keys create --type content/],
  ['init --site-url', 2, /argument missing\n"prepress init --help" lists the options/],
  ['build everything', 2, /too many arguments.*\n"prepress build --help" lists/],
  ['publish', 2, /missing required argument 'slug'\nFor example: prepress publish the-/],
  ['unpublish', 2, /missing required argument 'slug'\nFor example: prepress unpublish the-/],
  ['backup', 2, /missing required argument 'to'\nFor example: prepress backup \/backups/],
  ['hosts write', 2, /missing required argument 'host'\nFor example: prepress hosts write nginx/],
  ['hosts remove', 2, /missing required argument 'host'\nFor example: prepress hosts remove/],
  ['export markdown', 2, /missing required argument 'folder'\nFor example: prepress export/],
  ['import redirects', 2, /missing required argument 'file'\nFor example: prepress import redir/],
  ['database move', 2, /missing required argument 'file'\nFor example: prepress database move/],
  ['keys revoke', 2, /missing required argument 'id'\nFor example: prepress keys revoke/],
  ['keys create', 2, /--type <type>' not specified\nFor example: prepress keys create --type/],
  ['webhooks create', 2, /--event <event>' not specified\nFor example: prepress webhooks create/],
  ['webhooks test', 2, /missing required argument 'id'\nFor example: prepress webhooks test/],
  ['webhooks rotate', 2, /missing required argument 'id'\nFor example: prepress webhooks rotate/],
  ['webhooks delete', 2, /missing required argument 'id'\nFor example: prepress webhooks delete/],
  ['webhooks redeliver', 2, /Name either the id of a delivery or a time: --since 2026-/],
  ['import', 2, /Name what to import: a Ghost database, export, address or members CSV/],
  ['follow', 2, /Name the Ghost database to follow, such as mysql:\/\/ghost:/],
  ['deploy', 2, /Name a target, or set "deploy"\. A target is dir:\/path, s3:/],
  ['preview', 2, /Name the slug or id of a post or page, or add --revoke/],
];

const VALUES: readonly Wrong[] = [
  ['keys create --type gold --name x', 2, /--type is one of content, admin, hook, got "gold"/],
  ['keys create --type admin --name=', 2, /A key needs a name of 1 to 191 characters/],
  ['keys create --type hook --name x --owner', 2, /Only an admin key can be an owner key/],
  ['posts list --status public', 2, /--status is one of draft, published.*, got "public"/],
  ['posts list --type tag', 2, /--type is one of post, page, got "tag"/],
  ['posts list --limit 0', 2, /--limit takes a whole number from 1, got "0"/],
  ['preview x --hours 1.5', 2, /--hours takes a whole number from 1 to 720, got "1\.5"/],
  ['webhooks redeliver --since soon', 2, /--since takes a time in UTC such as .*, got "soon"/],
  [
    'webhooks create --event post.publish --url https://1.1.1.1/',
    2,
    /no event "post\.publish"\. Did you mean post\.published\?/,
  ],
  [
    'webhooks create --event site.changed --url example.com/a-token',
    2,
    /--url must be an address such as https:\/\/.*, got one that begins with "example\.com"/,
  ],
  ['webhooks create --event site.changed --url none', 2, /, got one without "https:\/\/"\.\n/],
  [
    'webhooks create --event site.changed --url ftp://me:pw@1.1.1.1/a-token',
    2,
    /such as https:\/\/example\.com\/hook, got one that begins with "ftp:\/\/"\.\n/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --header X/A=PATH',
    2,
    /: --header holds "X\/A", a name that no header can have\.\n/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --body list.json',
    2,
    /: --body: list\.json must be an object\.\n/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --preset gitub',
    2,
    /--preset is one of github, .*, got "gitub"/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --preset github',
    2,
    /--preset github needs --token with the name of an environment variable, .*\. Its value is a fine-grained/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --body template.txt',
    2,
    /--body: template\.txt is not JSON\. Write placeholders inside texts/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --header Host=PATH',
    2,
    /--header must not hold Host, .*\nSee prepress webhooks create --help\./,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --body unknown.json',
    2,
    /There is no placeholder \{\{nope\}\}\./,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --body none.txt',
    2,
    /--body: none\.txt does not exist/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --header X',
    2,
    /--header must be a name and an environment variable, such as X-Token=/,
  ],
  ['hosts write ngnix', 2, /There is no host "ngnix"\. Did you mean nginx\? The hosts are nginx/],
  ['hosts write nginx --profile small', 2, /--profile for nginx must be .*, got "small"/],
  ['hosts write varnish --origin 8080', 2, /--origin must be HOST:PORT, such as .*, got "8080"/],
  ['hosts write varnish --origin localhost:80800', 2, /must have a port from 1 to 65535/],
  ['hosts write nginx --profile packed', 2, /got "packed"\. The host nginx-njs serves it/],
  ['hosts write netlify --shield', 2, /--shield is for nginx, Caddy and Apache, not for Netlify/],
  ['hosts write caddy --njs', 2, /--njs is for nginx, not for caddy/],
  ['hosts write nginx --content-keys', 2, /nginx cannot check content keys: .*cloudflare/],
  [
    'serve --host localhost:4000',
    2,
    /\(--host\): must be an address or a host name without a port, .*, got "localhost:4000"/,
  ],
  ['serve --images pictures', 2, /is for --follow; run "prepress import --images pictures"/],
  ['serve --host http://127.0.0.1', 2, /\(--host\): must be an address .*, got "http:\/\/127/],
  ['init https://site.test', 2, /Name a folder, got "https:\/\/site\.test"\. .* --site-url/],
  ['backup s3://bucket/x', 2, /goes to a file or folder of this machine, got "s3:\/\/bucket\/x"/],
  ['hosts write nginx --to nginx/conf.d', 2, /nginx includes every file of .*another folder/],
  ['hosts write nginx --root output', 2, /must be a whole path, such as \/srv\/www, got "output"/],
  ['deploy /srv/www', 2, /A target is dir:\/path, .*; write the folder as dir:\/srv\/www\./],
  ['status --config links.config.json', 2, /must have \{slug\} or \{id\}, .*, got "\/posts\/"/],
  ['serve --port http', 2, /Setting port \(--port\): must be a whole number .*, got "http"/],
  ['build --site-url site.test', 2, /\(--site-url\): must be an absolute .* such as https:\/\/exa/],
  ['build --base-path ../x', 2, /\(--base-path\): must be a path such as \/blog, got "\.\.\/x"/],
  ['backup output', 2, /output is served to readers: name another folder for the backup/],
  ['hosts write nginx --to output/rules', 2, /rules is served to readers: name another folder for/],
  ['hosts write nginx --to linked/output', 2, /publication\/output is served to readers: name an/],
  ['export markdown output', 2, /output is served to readers: name another folder for the export/],
  ['export markdown data', 2, /data belongs to the database: name another folder for the export/],
  ['export markdown data/notes', 2, /notes belongs to the database: name another folder for/],
  ['deploy dir:data', 2, /data holds the folder of the database, .*data, and would serve its/],
  ['deploy dir:output', 2, /must not contain each other: name another folder/],
  ['build --output ~/site', 2, /\(--output\): must be written in full: only .* ~, got "~\/site"/],
  ['init ~/site', 2, /folder must be written in full: only shells expand ~, got "~\/site"/],
  ['build --database postgres//u:pw@h/x', 2, /must be a SQLite file, or an address such as/],
  ['import mysql:/u:pw@h/x', 2, /address of the database does not begin with mysql:\/\//],
  ['build --database mysql://u@h/x', 2, /a SQLite file, or .* Ghost database, run "prepress i/],
  ['status --config none.config.json', 2, /There is no settings file at .*none\.config\.json/],
  ['status --config bad.config.json', 2, /bad\.config\.json is not valid JSON: line 1, column 15/],
  ['status --config list.config.json', 2, /must hold one JSON object of settings/],
  ['status --config typo.config.json', 2, /does not exist: "ports"\. Did you mean port\?/],
  ['deploy dir:x --region eu', 2, /--region needs a target that begins with s3:\/\/\./],
  ['deploy --invalidate E1', 2, /--invalidate needs a target that begins with s3:\/\/\./],
  ['deploy dir:', 2, /or exec:COMMAND, got "dir:" alone\.\s/],
  ['deploy ftp://me:secret@example.com', 2, /or exec:COMMAND; this one begins with "ftp:"\.\s/],
  ['import people.csv --column Town', 2, /--column must be NAME=MEANING, got "Town"/],
  ['database move x.db', 2, /The setting database names no PostgreSQL\. Set PREPRESS_DATABASE/],
];

const ABSENT: readonly Wrong[] = [
  ['publish no-such-slug', 1, /no post or page with the slug or id "no-such-slug".*posts list"/],
  ['preview no-such-slug', 1, /no post or page with the slug or id "no-such-slug".*posts list"/],
  [`keys revoke ${NO_ID}`, 1, /no key with the id 0{24}, or it was revoked\. "prepress keys list"/],
  ['keys revoke abc', 1, /no key with the id abc, or it was revoked\. "prepress keys list"/],
  [`keys revoke ${'0'.repeat(26)}`, 1, / that id, or it was revoked\. "prepress keys list"/],
  [`webhooks test ${NO_ID}`, 1, /no webhook with the id 0{24}\. "prepress webhooks list"/],
  ['webhooks delete x', 1, /no webhook with the id x\. "prepress webhooks list"/],
  [`webhooks rotate ${NO_ID}`, 1, /no webhook with the id 0{24}\. "prepress webhooks list"/],
  [`webhooks redeliver ${NO_ID}`, 1, /no delivery "0{24}"\. "prepress webhooks deliveries"/],
  ['publish https://site.test/a/', 1, /"https:\/\/site\.test\/a\/"\. Write the slug alone, such/],
  ['import site.test', 1, /site\.test does not exist\.\n.*address of a site begins with https/],
  ['import --images site.test', 1, /site\.test does not exist\.\n.*begins with https/],
  ['import redirects.yaml', 1, /\nImport redirects with "prepress import redirects redirects\.y/],
  ['import routes.yaml', 1, /\nPrepress does not read routes: set "permalinks"/],
  ['import redirects routes.yaml', 1, /holds Ghost's routes\.\nPrepress does not read routes: set/],
  ['import site.zip', 1, /\nUnpack it first, then import the export, database or CSV/],
  ['import dump.sql.gz', 1, /: it is not text in UTF-8\.\nLoad it into a database, and import mys/],
  ['import people.xlsx', 1, /\nSave the sheet as CSV, then import that file/],
  ['import site.xml', 1, /\nImport it into Ghost first, then import Ghost's export/],
  ['import absent.json', 1, /absent\.json does not exist\.\nCheck the path/],
  ['import pictures', 1, /pictures is a folder, not an export or a database\.\nName a file in it/],
  ['import random.db', 1, /random\.db .* nor a SQ.*\nName a Ghost database, such as .*mysql:/],
  [
    'import list.json',
    1,
    /list\.json .* neither a JSON object .*\nIn Ghost, open Settings, Import/,
  ],
  ['import half.json', 1, /half\.json ends in the middle\.\nDownload the export again/],
  ['import other.json', 1, /other\.json is not a Ghost export: .*\nIn Ghost, open Settings, Im/],
  ['import bare.json', 1, /meta\.version is missing, or is not a version such as "5\.0\.0"\.\n/],
  ['import void.json', 1, /void\.json is empty\.\nName a Ghost export or database/],
  ['import people.csv', 1, /people\.csv is not a members CSV: .*email/],
  ['import redirects people.csv', 1, /people\.csv is in neither .*\nWrite Ghost's redirects/],
  ['import redirects half.json', 1, /half\.json cannot be read: line 1: .* not closed\.\nWrite/],
  ['import redirects absent.json', 1, /absent\.json does not exist/],
  ['import --images absent', 1, /absent does not exist/],
  ['init random.db', 1, /random\.db is a file, and a folder is needed\.\nMove it, or name another/],
  ['export markdown random.db', 1, /random\.db is a file, and a folder is needed\.\nMove it, or/],
  ['build --output random.db', 1, /cannot be written: .*random\.db is a file, and a folder is n/],
  ['hosts write nginx --to random.db', 1, /random\.db is a file, and a folder is needed\.\nMove/],
  ['build --database pictures', 1, /pictures is a folder\.\nName a file, such as .*pictures\/pub/],
  ['backup taken.db', 1, /taken\.db already exists\.\nAdd --replace .* or --dated/],
  ['backup absent/copy.db', 1, /There is no folder .*absent\.\nMake it with "mkdir -p /],
  ['init', 1, /publication\.db already exists\.\nIf it is one of Prepress, use it as it is; else/],
];

/** Typed by people who had read README alone. */
const MISTYPED: readonly Wrong[] = [
  ['--port 4000 serve', 2, /unknown option '--port'\n.*; options come after the command/],
  ['start', 2, /unknown command 'start'\n\(Did you mean serve\?\)/],
  ['version', 2, /unknown command 'version'\n\(Did you mean prepress --version\?\)/],
  ['help statsu', 2, /unknown command 'statsu'\n\(Did you mean status\?\)\n"prepress --help" l/],
  ['help keys lst', 2, /unknown command 'lst'\n\(Did you mean list\?\)\n"prepress keys --help"/],
  ['post list', 2, /unknown command 'post'\n\(Did you mean posts\?\)/],
  ['key list', 2, /unknown command 'key'\n\(Did you mean keys\?\)/],
  ['keys delete x', 2, /'delete'\n\(Did you mean revoke\?\)\n"prepress keys --help" lists/],
  ['webhooks add', 2, /'add'\n\(Did you mean create\?\)\n"prepress webhooks --help" lists/],
  ['posts add', 2, /unknown command 'add'\n"prepress posts --help" lists/],
  ['export html ../x', 2, /unknown command 'html'\n"prepress export --help" lists/],
  ['serve 4001', 2, /too many arguments.* got 1: 4001\.\n"prepress serve --help" lists/],
  ['verify output', 2, /too many arguments.*\n"prepress verify --help" lists/],
  ['status posts', 2, /too many arguments.*\n"prepress status --help" lists/],
  ['publish a b', 2, /too many arguments.*\nFor example: prepress publish the-/],
  ['import list.json half.json', 2, /too many arguments.*\nFor example: prepress import mysql/],
  ['posts list drafts', 2, /too many arguments.*\nFor example: .* --status draft/],
  ['hosts write nginx caddy', 2, /too many arguments.*\nFor example: prepress hosts write/],
  ['backup pictures extra', 2, /too many arguments.*\nFor example: prepress backup/],
  ['clock reset', 2, /too many arguments.*\n"prepress clock --help" lists/],
  ['init a b', 2, /too many arguments.*\n"prepress init --help" lists/],
  ['serve --prot 4001', 2, /'--prot'\n\(Did you mean --port\?\)\n"prepress serve --help"/],
  ['serve --site_url https://a.test', 2, /\(Did you mean --site-url\?\)/],
  ['import --imags pictures', 2, /\(Did you mean --images\?\)/],
  ['status --secret', 2, /\(Did you mean --secrets\?\)\nFor example: prepress status --sec/],
  ['follow --intervall 5', 2, /unknown option.*\n"prepress follow --help" lists/],
  ['init --sample', 2, /unknown option '--sample'\n"prepress init --help" lists/],
  ['serve -p 8080', 2, /unknown option '-p'\n"prepress serve --help" lists the options/],
  ['build -full', 2, /unknown option '-full'\n"prepress build --help" lists/],
  ['serve --host', 2, /argument missing\n"prepress serve --help" lists/],
  ['serve --follow', 2, /argument missing\nFor example: prepress serve --follow \//],
  ['import --images', 2, /argument missing\nFor example: prepress import --images https/],
  ['build --site-url', 2, /argument missing\nFor example: prepress build --site-url https/],
  ['build --config', 2, /argument missing\n"prepress build --help" lists/],
  ['hosts write nginx --to', 2, /argument missing\n"prepress hosts write --help" lists/],
  ['webhooks redeliver --since', 2, /argument missing\nFor example: .* --since 2026-/],
  ['keys create --type content --name', 2, /argument missing\nFor example: .* --name website/],
  ['keys create --type admin', 2, /'--name <name>' not specified\nFor example: prepress keys/],
  ['webhooks create --event post.published', 2, /'--url <url>' not specified\nFor example/],
  ['webhooks create --url https://1.1.1.1/', 2, /'--event <event>' not specified\nFor example/],
  ['backup --dated', 2, /missing required argument 'to'\nFor example: prepress backup/],
  ['serve --port=99999', 2, /\(--port\): must be a whole number from 0 to 65535, got "99999"/],
  ['serve --base-path blog', 2, /\(--base-path\): must be a path such as \/blog, got "blog"/],
  ['build --site-url https://a.test?x=1', 2, /must have no user, .* got "https:\/\/a\.test\?x=1"/],
  ['build --site-url ftp://a.test', 2, /must be an absolute http or https .* got "ftp:\/\/a/],
  ['build --config pictures', 2, /pictures is a folder, and a file is needed/],
  ['build --database absent.db', 1, /no database at .*absent\.db\.\nRun "prepress init"/],
  ['build --database random.db', 1, /random\.db cannot be opened.*\nRestore it .* or name anot/],
  ['serve --follow absent.db --port 0', 1, /absent\.db does not exist\.\nCheck the path/],
  ['serve --follow pictures --port 0', 1, /pictures is a folder, not .*\nName a file in it/],
  ['serve --follow random.db --port 0', 1, /random\.db is not a Ghost export.*\nName a Gho/],
  ['follow absent.db', 1, /absent\.db does not exist\.\nCheck the path/],
  ['follow people.csv', 2, /cannot be followed: import it with "prepress import people\.csv"/],
  ['follow ftp://a.test/ghost', 2, /must begin with mysql:\/\/.* this one begins with "ftp:"/],
  ['import --images random.db', 1, /random\.db is not a folder\.\nCheck the path/],
  ['import --images pictures', 2, /holds none of the folders .* Name the content folder of Gho/],
  ['import redirects pictures', 1, /pictures is a folder, and a file is needed/],
  ['import people.csv --column Town=place', 1, /no column "Town": write the name as its first/],
  ['import people.csv --accept', 2, /--accept stands alone: leave out the source/],
  ['posts list --status Draft', 2, /--status is one of draft, .*, got "Draft"/],
  ['posts list --limit all', 2, /--limit takes a whole number from 1, got "all"/],
  ['hosts write NGINX', 2, /no host "NGINX"\. Did you mean nginx\?/],
  ['hosts write github', 2, /no host "github"\. Did you mean github-pages\?/],
  ['hosts write github-pages --profile packed', 2, /must be plain-files, got "packed"/],
  ['hosts write nginx --config root.config.json', 2, /hostRoot must be a whole path, .*"www"/],
  ['deploy s3:bucket', 2, /or exec:COMMAND; write the bucket as s3:\/\/bucket\./],
  ['deploy s3:me:secret@bucket', 2, /or exec:COMMAND; "s3:" needs two slashes after it\./],
  ['deploy s3://', 2, /or exec:COMMAND, got "s3:\/\/" without a bucket\./],
  ['deploy s3:///x', 2, /; this one has no bucket between "s3:\/\/" and the next "\/"\./],
  ['deploy s3://Bucket', 2, /; a bucket has small letters, digits/],
  ['deploy dir:a,dir:b', 2, /write several as a list, as in PREPRESS_DEPLOY=/],
  ['build --force', 2, /unknown option '--force'\n\(Did you mean --full\?\)/],
  ['deploy me@host:/srv/www', 2, /write a command, as in exec:rsync -a output\/ user@host:/],
  ['deploy gh-pages', 2, /s3:\/\/bucket\/prefix or exec:COMMAND, got "gh-pages"\./],
  ['backup copy.zip', 2, /no archive: name a file such as publication\.db, got copy\.zip/],
  ['import file:///x/ghost.db', 2, /by its path alone, without "file:"\.\nLeave out what/],
  ['import images /var/www', 2, /too many arguments .*\nFor example: prepress import --images/],
  ['import mysql://u@h', 2, /names no database, as in mysql:/],
  ['import mysql://u@h/d?tls=1', 2, /ssl \(such as \?ssl=true\) and socketPath, not tls\./],
  ['hosts write nginx --origin a:1', 2, /--origin is for Varnish, not for nginx\./],
  ['backup data', 2, /data holds the database itself: name another folder/],
  ['preview --hours 5', 2, /Name the slug or id of a post or page/],
  ['preview x --revoke', 2, /--revoke revokes the links of all posts: leave out "x"\./],
  [
    'webhooks create --event post.edited --event post.added --url https://1.1.1.1/',
    2,
    /'post\.added' is invalid\. It is the second one, after 'post\.edited'/,
  ],
  [
    'webhooks create --event site.changed --url http://10.0.0.1/',
    1,
    /10\.0\.0\.1 is in a private .* set "webhookAllow": \["10\.0\.0\.1"\]/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --preset github --token PATH',
    1,
    /The preset github sends to an address such as https:\/\/api\.github/,
  ],
  [
    'webhooks create --event site.changed --url https://1.1.1.1/ --token NO_TOKEN',
    2,
    /--token names no environment variable that is set\. Set one first, such as with "export/,
  ],
  ['status --config hosts.config.json', 2, /no host "ngnix"\. Did you mean nginx\?/],
  ['status --config named.config.json', 2, /There is no host "ngnix"\..* plain-files\.\n/],
  [
    'status --config deploy.config.json',
    2,
    /target 1 cannot be used: a target is dir:\/path.*; write the folder as dir:\/srv\/www\./,
  ],
  ['status --config site.config.json', 2, /Setting site \(.*\): must be true or false, got "yes"/],
  ['status --config url.config.json', 2, /Setting siteUrl \(.*\): must be an absolute http/],
  ['status --config wide.config.json', 2, /is not text in UTF-8\.\nSave it as UTF-8: PowerShell/],
  ['status --config slash.config.json', 2, /with a slash at both ends, .*, got "\/blog\/\{slug\}"/],
  ['status --config half.config.json', 2, /is not valid JSON: line 1, column 14: expected "/],
];

/** A sentence, and what to do or an example; nothing of the program's inside. */
const FORM = /^prepress: \S.*(?:[.')?]|specified|missing)\n(?:\(Did you mean .*\)\n)?(?:\S.*\n)?$/;
const INSIDE = /\n\s+at |undefined|\[object|\bE[A-Z]{4,}\b/;

const check = async (place: string, wrongs: readonly Wrong[]): Promise<void> => {
  const differences: unknown[] = [];
  for (const [line, code, says] of wrongs) {
    const args = line === '' ? [] : line.split(' ');
    const { stdout, stderr, ...finished } = await runHere(place, args);
    const isRight = finished.code === code && stdout === '' && says.test(stderr);
    if (isRight && FORM.test(stderr) && !INSIDE.test(stderr)) continue;
    differences.push({ line, code: finished.code, stdout, stderr });
  }
  expect(differences).toEqual([]);
};

test('a command line that is not understood says what it lacks, with an example', () =>
  check(folder, USAGE));

test('a value that cannot be used is named, with those that can', () => check(folder, VALUES));

test('a mistyped line says what to do, before anything is made or served', () =>
  check(folder, MISTYPED));

test('what does not exist is named, with the command that lists or makes it', () =>
  check(folder, ABSENT));

test.skipIf(!existsSync('/proc/self'))(
  'where the system takes no folders, another path is asked for',
  () => {
    const says = /written: no folder can be made in \/proc\.\nName another path\.\n/;
    const lines = ['build --output /proc/x', 'init /proc/x'];
    return check(
      folder,
      lines.map((line): Wrong => [line, 1, says]),
    );
  },
);

test('with --json a line that is not understood has the form of every error', async () => {
  for (const [line, message, hint] of [
    ['nonsense --json', "unknown command 'nonsense'", /lists the commands/],
    ['hosts wirte --json', "unknown command 'wirte' (Did you mean write?)", /hosts --help"/],
    ['clock acept --json', "unknown command 'acept' (Did you mean accept?)", /clock --help"/],
    ['publish --json', "missing required argument 'slug'", /^For example: prepress publish/],
  ] as const) {
    const { code, stdout, stderr } = await runHere(folder, line.split(' '));
    expect([line, code, stderr]).toEqual([line, 2, '']);
    const error = { code: 'USAGE', message, hint: expect.stringMatching(hint), details: null };
    expect(JSON.parse(stdout)).toEqual({ error });
  }
});

test('without a database each command says how to make one, and makes nothing', async () => {
  const lines = ['build', 'serve --port 0', 'status', 'publish a', 'backup b', 'keys list'];
  await check(
    nowhere,
    lines.map(
      (line): Wrong => [line, 1, /no database at .*publication\.db.*\nRun "prepress init"/],
    ),
  );
  expect(readdirSync(nowhere)).toEqual([]);
});

test('an address of a database needs no password to be one', async () => {
  const { code, stderr } = await runHere(folder, ['import', 'mysql://u@127.0.0.1:1/x']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be reached (ECONNREFUSED)')]);
});

test('an import without rows says so, and exits with 1', async () => {
  const { code, stdout } = await runHere(folder, ['import', 'none.json']);
  expect([code, stdout]).toEqual([1, expect.stringContaining('The source holds no rows, so')]);
});

test('a first start on a busy port, or an address of another machine, makes nothing', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  try {
    await check(nowhere, [
      [
        `serve --sample --port ${port}`,
        1,
        /127\.0\.0\.1:\d+ is already in use.*\nChoose another with --p/,
      ],
    ]);
    const { stderr } = await runHere(nowhere, ['serve', '--sample', '--host', '192.0.2.1']);
    expect(stderr).toMatch(/cannot listen on 192\.0\.2\.1:\d+ \(EADDRNOTAVAIL\)\. .* use 127\.0/);
    expect((await runHere(nowhere, ['status'])).code).toBe(1);
    const taken = { PREPRESS_METRICS: `127.0.0.1:${port}` };
    const metrics = await runHere(folder, ['serve', '--port', '0'], taken);
    expect(metrics.stderr).toMatch(/is already in use\.\nChoose another .*setting metrics\./);
  } finally {
    other.close();
  }
});

test('a second server on the port of the first one names that, not another port', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const before = process.cwd();
  process.chdir(folder);
  const config = await loadConfig({ flags: { port: String(port) } });
  const paths = dataPathsOf(config);
  writeServerSettings(paths, config);
  const presence = await holdPresence(paths.delivererLock);
  process.chdir(before);
  try {
    const says = /already serves this publication on 127\.0\.0\.1:\d+\.\nOpen http:.* or stop that/;
    await check(folder, [[`serve --port ${port}`, 1, says]]);
  } finally {
    presence.release();
    other.close();
  }
});
