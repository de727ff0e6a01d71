// CloudFront's cache policy for the interface, as its configuration names it: objects say themselves how long they are
// kept, and nothing but parameters of the query may choose among them.

export const cachePolicy = (queryStrings: unknown) => ({
  MinTTL: 0,
  DefaultTTL: 0,
  MaxTTL: 31_536_000,
  ParametersInCacheKeyAndForwardedToOrigin: {
    EnableAcceptEncodingGzip: true,
    EnableAcceptEncodingBrotli: true,
    HeadersConfig: { HeaderBehavior: 'none' },
    CookiesConfig: { CookieBehavior: 'none' },
    QueryStringsConfig: queryStrings,
  },
});
