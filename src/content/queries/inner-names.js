// Names of properties that no file, no document, no platform and no caller of the client has. Bundles of the client and of
// workers give them shorter ones, since both have to be small. A name too many is noticed where generated queries are asked of
// these bundles.
const NAMES = `
action add after base basePath blob blobs bytes chunk codes collection column count
countNewer dictionary directories directory dropped ending enough entries facets family fetchFile
field fields flags folded folder from groups hasHtml hasNull hasPlaintext head host
includes isDown isInclusive isPrimary isPublicOnly isRange keep key keyHashes kind
line lines listed lookUp memory missingBlob narrow newer nowMs numbers older open
opening operator opposite order paged part parts path pieces places position positions primary
profile range ranks rawQuery readBlob readRoot readText reason recall recordsAtOnce resource
rest root rootKey segmentOf shape shown showsTiers site starts store storedSegment texts tick to touched turn
value values write
`;

export const INNER_NAMES = new RegExp(`^(?:${NAMES.trim().replace(/\s+/g, '|')})$`);
