// The records that programs read, in both shapes, with what is only there when it is asked for. The client's declarations,
// and the schemas of content loaders, are made of these.
import * as z from 'zod';
import { authorWithCountSchema } from './author.ts';
import { ghostLinks, ghostPage, ghostPost, ghostSettingsSchema } from './ghost-documents.ts';
import { postWithAuthorsAndTagsSchema } from './post.ts';
import { settingsSchema } from './settings.ts';
import { tagWithCountSchema } from './tag.ts';

const LINKS = { authors: true, tags: true, primary_author: true, primary_tag: true } as const;
const plaintext = z.string().nullable().optional();

const terms = {
  Tag: tagWithCountSchema.partial({ count: true }),
  Author: authorWithCountSchema.partial({ count: true }),
};
const post = postWithAuthorsAndTagsSchema.partial(LINKS).extend({ plaintext });

export const CLIENT_RECORDS = {
  interface: { ...terms, Post: post, Page: post, Settings: settingsSchema },
  ghost: {
    ...terms,
    Post: ghostPost.extend(ghostLinks).partial(LINKS).extend({ plaintext }),
    Page: ghostPage.extend(ghostLinks).partial(LINKS).extend({ plaintext }),
    Settings: ghostSettingsSchema,
  },
};

type Schemas = typeof CLIENT_RECORDS;

export type ClientRecords = {
  readonly [Shape in keyof Schemas]: {
    readonly [Name in keyof Schemas[Shape]]: Schemas[Shape][Name] extends z.ZodType
      ? z.output<Schemas[Shape][Name]>
      : never;
  };
};
