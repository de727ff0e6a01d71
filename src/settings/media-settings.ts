// The part of the table of settings that is about pictures and other files: how many are fetched, which sizes are made
// of pictures, and how large uploads may be.
import { mediaPlace } from './deploy-targets.ts';
import { count, imageFormats, imageWidths } from './schemas.ts';
import { type Setting, setting } from './setting.ts';

export const MEDIA_SETTINGS = {
  media: setting(
    mediaPlace.optional(),
    'media, beside the folder data',
    'Folder that keeps pictures and other files; builds place them in the output. With s3://bucket/prefix, or {"target": "s3://bucket", "endpoint": ..., "region": ...}, the bucket keeps them for all servers.',
  ),
  'images.files': setting(
    count(1, 10_000_000).default(100_000),
    '100000',
    'Pictures and other files that one run of `prepress import --images https://...` fetches, at most.',
  ),
  'images.fileMegabytes': setting(
    count(1, 100_000).default(200),
    '200',
    'Size in MB of each of them, at most.',
  ),
  'images.megabytes': setting(
    count(1, 10_000_000).default(20_000),
    '20000',
    'Size in MB of all that one run fetches, at most.',
  ),
  'images.sizes': setting(
    imageWidths.default([600, 1_000, 1_600, 2_400]),
    '600,1000,1600,2400',
    'Widths in pixels in which pictures of bodies and features are made, at `content/images/size/w600/...`; empty: no picture is made in any size.',
  ),
  'images.formats': setting(
    imageFormats.default([]),
    '(empty)',
    'Formats (webp, avif) in which each width is also made, at `content/images/size/w600/format/webp/...`.',
  ),
  'uploads.imageMegabytesMax': setting(
    count(1, 10_000).default(20),
    '20',
    'Size in MB of an uploaded picture.',
  ),
  'uploads.mediaMegabytesMax': setting(
    count(1, 100_000).default(200),
    '200',
    'Size in MB of uploaded video or sound.',
  ),
  'uploads.fileMegabytesMax': setting(
    count(1, 100_000).default(100),
    '100',
    'Size in MB of another uploaded file.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
