// Astro keeps the records between two builds, so that a build reads what changed.
import { defineCollection } from 'astro:content';
import { prepress } from 'prepress-content/astro';
import { source } from './site.js';

const collection = (resource) => defineCollection({ loader: prepress({ ...source, resource }) });

export const collections = {
  posts: collection('posts'),
  pages: collection('pages'),
  tags: collection('tags'),
};
