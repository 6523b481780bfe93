/** Bytes that count as a request: of a body, of what a stranger reads, and of what a step stores. */
const BYTES_OF_ONE = 4_096;

/** How many more requests so many bytes count as. */
export const inRequests = (bytes: number): number => Math.floor(bytes / BYTES_OF_ONE);
