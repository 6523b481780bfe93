/** The driver's error with its code, which Objection wraps in its own. */
export const nativeError = (error: unknown): unknown =>
  (error as { nativeError?: unknown } | undefined)?.nativeError ?? error;
