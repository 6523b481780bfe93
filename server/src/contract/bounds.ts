/** Bounds of a request, checked before it is taken apart. Each is far beyond what the contract allows. */

/** Characters of a path, still percent-encoded. */
export const MAX_PATH = 8_192;
/** Characters of a query, still percent-encoded. */
export const MAX_QUERY = 8_192;
/** Names of a query, each counted as often as it is given. */
export const MAX_QUERY_NAMES = 100;
/** The deepest nesting that is accepted. */
export const MAX_DEPTH = 64;
/** Characters of a field's name. */
export const MAX_NAME = 500;
