// What a page changes in the body of its post: the first picture is not lazy, nobody else's server is asked to hold the place of a
// video, and links to Ghost's own sign-up lead to where readers can sign up, if they can.
import { expect, test } from 'vitest';
import { createSignupLinks, pageBody } from '../../../../src/pages/site/site-bodies.ts';
import type { PostView } from '../../../../src/pages/site/site-views.ts';
import { sitePost } from '../../../helpers/site-records.ts';

const SIGNUP = "https://ghost.test/?a=1&b='#/portal/signup";
const HOME = 'https://site.test/blog/';

const bodyOf = (html: string | null, image: string | null = null, url: string | null = null) =>
  pageBody(
    { record: sitePost('one', { html }), image } as unknown as PostView,
    createSignupLinks(url, HOME),
  );

const PICTURES = '<img src="a.jpg" loading="lazy"><img src="b.jpg" loading="lazy">';

test('the first picture of a page is not lazy: that above the body, else that of the body', () => {
  expect(bodyOf(PICTURES)).toBe(PICTURES.replace('lazy', 'eager'));
  expect(bodyOf(PICTURES, '/content/images/lead.jpg')).toBe(PICTURES);
  expect(bodyOf(null)).toBe('');
});

test('a video asks no other server for the picture that holds its place', () => {
  const video = (poster: string): string => `<video src="a.mp4" poster="${poster}"></video>`;
  expect(bodyOf(video('https://img.spacergif.org/v1/640x360/0a/spacer.png'))).toBe(video(''));
  expect(bodyOf(video('https://site.test/a.png'))).toBe(video('https://site.test/a.png'));
});

test('links to the sign-up of Ghost lead to the address of the setting, all others where they led', () => {
  const link = (address: string): string => `<a href="${address}">x</a>`;
  const own = ['#/portal', '/#/portal/signup', `${HOME}#/portal/signup/free`];
  const others = ['#/portal/account', '#signup', 'https://other.test/#/portal/signup', '/signup'];
  const written = [...own, ...others].map(link);
  expect(written.map((html) => bodyOf(html))).toEqual(written);
  expect(written.map((html) => bodyOf(html, null, SIGNUP))).toEqual([
    ...own.map(() => link('https://ghost.test/?a=1&amp;b=&#39;#/portal/signup')),
    ...others.map(link),
  ]);
});
