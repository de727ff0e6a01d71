import { getCollection } from 'astro:content';
import rss from '@astrojs/rss';
import { newestFirst, settings } from '../site.js';

export const GET = async () =>
  rss({
    title: settings.title,
    description: settings.description ?? '',
    site: settings.url,
    items: newestFirst(await getCollection('posts'))
      .slice(0, 20)
      .map((post) => ({
        title: post.title,
        link: `/${post.slug}/`,
        pubDate: new Date(post.published_at),
        description: post.custom_excerpt ?? post.excerpt,
        content: post.html ?? '',
      })),
  });
