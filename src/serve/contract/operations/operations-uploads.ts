// Operations that take files, each as one multipart body.
import { type Operation, single } from './operation.ts';

const FILE = { file: 'binary', ref: 'text' } as const;

/** Ghost's own editor puts it. */
const thumbnail = (method: 'post' | 'put'): Operation => ({
  tag: 'uploads',
  method,
  path: '/admin/media/thumbnail/upload/',
  summary: `Takes a picture for an uploaded video, which url names${method === 'put' ? ', in place of an earlier one' : ''}.`,
  form: { ...FILE, url: 'text' },
  answer: single({ root: 'media', record: 'Upload' }, method === 'put' ? 200 : 201),
});

export const UPLOAD_OPERATIONS: readonly Operation[] = [
  {
    tag: 'uploads',
    method: 'post',
    path: '/admin/images/upload/',
    summary: 'Takes a picture; purpose is image, icon or profile_image.',
    form: { ...FILE, purpose: 'text' },
    answer: single({ root: 'images', record: 'Upload' }, 201),
  },
  {
    tag: 'uploads',
    method: 'post',
    path: '/admin/media/upload/',
    summary: 'Takes video or sound, with a picture for it.',
    form: { ...FILE, thumbnail: 'binary' },
    answer: single({ root: 'media', record: 'MediaUpload' }, 201),
  },
  thumbnail('post'),
  thumbnail('put'),
  {
    tag: 'uploads',
    method: 'post',
    path: '/admin/files/upload/',
    summary: 'Takes another file that browsers do not run.',
    form: FILE,
    answer: single({ root: 'files', record: 'Upload' }, 201),
  },
];
