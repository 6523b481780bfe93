/** Bounds of a request, checked before it is parsed. Each is far above what the contract allows. */

/** Characters of a path, still percent-encoded. */
export const MAX_PATH = 8_192;
/** Characters of a query, still percent-encoded. */
export const MAX_QUERY = 8_192;
/** Parameters of a query, repetitions included. */
export const MAX_QUERY_NAMES = 100;
/** Fields of a form, repetitions included. */
export const MAX_FORM_FIELDS = 100;
/** The deepest nesting that is accepted. */
export const MAX_DEPTH = 64;
/** Characters of a field's name. */
export const MAX_NAME = 500;
