// Texts of a post beside its title and excerpt, by the names of their columns, with what fields call them.
import { META_LABELS } from '../../../ui/fields/meta-names.ts';

export const POST_TEXT_LABELS = {
  ...META_LABELS,
  feature_image_caption: 'Caption',
  canonical_url: 'Canonical address',
  custom_template: 'Template',
  codeinjection_head: 'Code at the head of the page',
  codeinjection_foot: 'Code at the foot of the page',
} as const;

export type PostText = keyof typeof POST_TEXT_LABELS;

export const POST_TEXTS = Object.keys(POST_TEXT_LABELS) as PostText[];
