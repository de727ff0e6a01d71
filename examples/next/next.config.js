// A site of files; with PREVIEWS=on one that `next start` serves, with the route in app/api/preview.
const hasPreviews = process.env.PREVIEWS === 'on';

export default {
  trailingSlash: true,
  ...(hasPreviews
    ? { pageExtensions: ['jsx', 'js'] }
    : { output: 'export', pageExtensions: ['jsx'] }),
};
