// Which names may stand in a path as they are. Runtime-neutral.

// Lone surrogates have no UTF-8.
const FORBIDDEN = /[\p{Cc}/\\?%:*"<>|]/u;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?:^|[^\ud800-\udbff])[\udc00-\udfff]/;
const BAD_START = /^[._~]/;
const BAD_END = /[. ]$/;
const DEVICE_NAME =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/** True when every file system and host can hold the name; its length is not looked at. */
export const isPlainSegment = (name: string): boolean =>
  name !== '' &&
  !FORBIDDEN.test(name) &&
  !LONE_SURROGATE.test(name) &&
  !BAD_START.test(name) &&
  !BAD_END.test(name) &&
  !DEVICE_NAME.test(name);
