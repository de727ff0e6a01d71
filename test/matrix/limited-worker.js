// The worker on a plan that allows a request so many of its own, as Cloudflare ends it.
import worker from 'worker.js';

export default {
  fetch: (request, env, context) => {
    let left = Number(env.REQUESTS_MAX);
    const fetchAsset = (asset) => {
      left -= 1;
      if (left < 0) throw new Error('Too many subrequests.');
      return env.ASSETS.fetch(asset);
    };
    return worker.fetch(request, { ASSETS: { fetch: fetchAsset } }, context);
  },
};
