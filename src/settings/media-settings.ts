// The part of the table of settings that is about pictures and other files: how many are fetched, which sizes are made
// of pictures, and how large uploads may be.
import { mediaPlace } from './deploy-targets.ts';
import { count, imageFormats, imageWidths } from './schemas.ts';
import { type Setting, setting } from './setting.ts';

export const MEDIA_SETTINGS = {
  media: setting(
    mediaPlace.optional(),
    'media, beside the folder data',
    'Folder of pictures and other files, which builds place in the output. With s3://bucket/prefix, or {"target": "s3://bucket", "endpoint": ..., "region": ...}, a bucket keeps them for all servers.',
  ),
  'images.files': setting(
    count(1, 10_000_000).default(100_000),
    '100000',
    'The greatest number of files that one run of `prepress import --images https://...` fetches.',
  ),
  'images.fileMegabytes': setting(
    count(1, 100_000).default(200),
    '200',
    'Largest size of each of them, in MB.',
  ),
  'images.megabytes': setting(
    count(1, 10_000_000).default(20_000),
    '20000',
    'Largest total size of one run, in MB.',
  ),
  'images.sizes': setting(
    imageWidths.default([600, 1_000, 1_600, 2_400]),
    '600,1000,1600,2400',
    'Widths in pixels to which pictures are resized, at `content/images/size/w600/...`. Empty: none.',
  ),
  'images.formats': setting(
    imageFormats.default([]),
    '(empty)',
    'Formats (webp, avif) into which each width is also converted, at `content/images/size/w600/format/webp/...`.',
  ),
  'uploads.imageMegabytesMax': setting(
    count(1, 10_000).default(20),
    '20',
    'Largest size of an uploaded picture, in MB.',
  ),
  'uploads.mediaMegabytesMax': setting(
    count(1, 100_000).default(200),
    '200',
    'Largest size of an uploaded video or audio file, in MB.',
  ),
  'uploads.fileMegabytesMax': setting(
    count(1, 100_000).default(100),
    '100',
    'Largest size of any other uploaded file, in MB.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
