import { keys, usePages } from '../../app/data';
import { useSite } from '../../app/site';

/** Every bundle of the site, newest first. */
export function useBundles() {
  const { token } = useSite();
  return usePages(keys.site(token, 'bundles', 'list'), (api, cursor, signal) =>
    api.listBundles({ token, ...cursor }, { signal }),
  );
}
