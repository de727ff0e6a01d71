// Redirects as a list of Ghost has them, and what each answers wherever it is written.
import { readRedirect } from '../../src/publication/store/content/redirects.ts';

const LINES = [
  ['^/moved/([^/]+)/?$', '/new/$1/', true],
  ['/old/', '/new/', false],
  ['/^\\/Shout(ed)?/i', '/quiet/', true],
  ['/files/a.b', 'https://cdn.example/files/a.b', true],
  ['^/tagged/([a-z-]+)/([0-9]{4})/(.*)$', '/t/$1/?from=$2&rest=$3', true],
  ['^/part/', '/whole/#part', true],
  ['/both/', '/whole/?a=b#part', true],
  ['^/(about|imprint)-us/', '/$1/', true],
  ['/blog/(.*)', 'https://blog.example/$1', false],
  ['/blog/later', '/never/', true],
  ['/straße/', '/street/100%25/', true],
  ['^/(.*)/amp/$', '/$1/', true],
  ['^/(.*)/all/?$', 'https://elsewhere.example/$1', true],
] as const;

export const REDIRECT_LINES = LINES.map(([from, to, permanent]) => ({ from, to, permanent }));
export const REDIRECTS = REDIRECT_LINES.map(readRedirect);

/** A path below the base path, with its query; then the status and where it leads, `BASE` for the base path; null: nowhere. */
export const REDIRECTED = [
  ['/moved/a/', '301 BASE/new/a/'],
  ['/moved/a', '301 BASE/new/a/'],
  ['/moved/a?x=1&y=%20', '301 BASE/new/a/?x=1&y=%20'],
  ['/moved/%C3%BC%0d%0aX/', '301 BASE/new/%C3%BC%0d%0aX/'],
  ['/moved/a%3Fb/', '301 BASE/new/a%3Fb/'],
  ['/moved/a/b/', null],
  ['/moved/', null],
  ['/old/', '302 BASE/new/'],
  ['/old', '302 BASE/new/'],
  ['/older/', null],
  ['/x/old/', null],
  ['/OLD/', null],
  ['/shouted/', '301 BASE/quiet/'],
  ['/SHOUT', '301 BASE/quiet/'],
  ['/files/a.b?v=2', '301 https://cdn.example/files/a.b?v=2'],
  ['/tagged/tips/2024/x/y', '301 BASE/t/tips/?from=2024&rest=x/y'],
  ['/tagged/tips/2024/x?page=2', '301 BASE/t/tips/?from=2024&rest=x&page=2'],
  ['/tagged/tips/24/x', null],
  ['/part/?x=1', '301 BASE/whole/?x=1#part'],
  ['/part/', '301 BASE/whole/#part'],
  ['/both/?x=1', '301 BASE/whole/?a=b&x=1#part'],
  ['/imprint-us/', '301 BASE/imprint/'],
  ['/blog/2020/01/a', '302 https://blog.example/2020/01/a'],
  ['/blog/later', '302 https://blog.example/later'],
  ['/blog//evil.example', null],
  ['/stra%C3%9Fe/', '301 BASE/street/100%25/'],
  ['/2024/post/amp/', '301 BASE/2024/post/'],
  ['//evil.example/amp/', null],
  ['/content/posts/all/', null],
  ['/ghost/api/content/posts/all/', null],
  ['/some/all', '301 https://elsewhere.example/some'],
] as const;
