/**
 * Tells how many bytes a connection has brought since the last call, the first time since the beginning. A body in
 * chunks may bring thousands of times its size: each chunk may have an extension, which the parser drops.
 */
export function wireBytes(socket: { readonly bytesRead: number }): () => number {
  let before = 0;
  return () => {
    const all = socket.bytesRead;
    const since = all - before;
    before = all;
    return since;
  };
}
