import type { TcfSettings } from '../types';

/** What a schema cannot say of the framework's settings: paths in the settings, and what to do. */
export function tcfFaults(tcf: TcfSettings, keys: readonly string[]): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  const once = (path: string, ids: readonly number[] = [], what = 'purpose'): void => {
    const seen = new Set<number>();
    ids.forEach((id, index) => {
      if (seen.has(id))
        faults.push({
          path: `tcf.${path}.${index}`,
          message: `the ${what} ${id} is listed twice: give it once`,
        });
      seen.add(id);
    });
  };
  once('vendors', tcf.vendors, 'vendor');
  once('consent_only_purposes', tcf.consent_only_purposes);
  once('refused_purposes', tcf.refused_purposes);
  for (const [key, purposes] of Object.entries(tcf.categories ?? {})) {
    once(`categories.${key}`, purposes);
    if (!keys.includes(key))
      faults.push({
        path: `tcf.categories.${key}`,
        message: `is none of the site's categories: ${keys.join(', ')}`,
      });
  }
  return faults;
}
