// Operations that take files, each as one multipart body.
import { type Operations, single } from './operation.ts';

const FILE = { file: 'binary', ref: 'text' } as const;
const uploads = { tag: 'uploads' } as const;

/** Ghost's own editor puts it. */
const thumbnail = {
  ...uploads,
  action: 'upload thumbnail',
  form: { ...FILE, url: 'text' },
} as const;

export const UPLOAD_OPERATIONS = {
  images: {
    'POST /upload/': {
      ...uploads,
      action: 'upload image',
      summary: 'Uploads a picture; purpose is image, icon or profile_image.',
      form: { ...FILE, purpose: 'text' },
      answer: single('Upload', 201),
    },
  },
  media: {
    'POST /upload/': {
      ...uploads,
      action: 'upload media',
      summary: 'Uploads a video or audio file, with a thumbnail.',
      form: { ...FILE, thumbnail: 'binary' },
      answer: single('MediaUpload', 201),
    },
    'POST /thumbnail/upload/': {
      ...thumbnail,
      summary: 'Uploads a thumbnail for the video that url names.',
      answer: single('Upload', 201),
    },
    'PUT /thumbnail/upload/': {
      ...thumbnail,
      summary:
        'Takes a picture for an uploaded video, which url names, in place of an earlier one.',
      answer: single('Upload'),
    },
  },
  files: {
    'POST /upload/': {
      ...uploads,
      action: 'upload file',
      summary: 'Uploads any other file that browsers do not execute.',
      form: FILE,
      answer: single('Upload', 201),
    },
  },
} satisfies Readonly<Record<string, Operations>>;
