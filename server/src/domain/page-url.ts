/**
 * The page without what may identify the visitor: query, fragment and credentials are cut off.
 * The input has passed the contract's pattern for web addresses.
 */
export function stripPageUrl(url: string): string {
  const end = url.search(/[?#]/);
  const page = end === -1 ? url : url.slice(0, end);
  return page.replace(/^(https?:\/\/)[^/]*@/, '$1');
}
