// A site of files; with PREVIEWS=on it also has a server, for the one route that shows what is not published.
const preview = {
  name: 'preview',
  hooks: {
    'astro:config:setup': ({ injectRoute }) =>
      injectRoute({ pattern: '/preview', entrypoint: './src/preview.astro', prerender: false }),
  },
};

const withServer = async () => {
  const { default: node } = await import('@astrojs/node');
  return { adapter: node({ mode: 'standalone' }), integrations: [preview] };
};

export default process.env.PREVIEWS === 'on' ? await withServer() : {};
