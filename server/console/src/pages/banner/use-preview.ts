import { useEffect, useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';

export type Preview = Schemas['BundlePreview'];
export type Surroundings = 'system' | 'light' | 'dark';

/** How long to wait after the last change before the preview is generated again, in milliseconds. */
const PAUSE = 500;

/** The real bundle of settings that are not saved, with the texts of all languages inside. */
export function usePreview(patch: Schemas['SettingsPatch'], surroundings: Surroundings) {
  const { token, settings } = useSite();
  const unsaved = useSettled(patch);
  const make = (theme?: 'light' | 'dark') => ({
    settings: unsaved,
    texts: 'all' as const,
    ...(theme && { theme }),
  });
  // What visitors load holds the texts of one language: it is weighed, and judged, as it would be published.
  const published = useAnswer(
    keys.site(token, 'preview', unsaved, 'published'),
    (api, signal) => api.previewBundle({ token, body: { settings: unsaved } }, { signal }),
    { keep: true },
  );
  const isAuto = (unsaved.banner ?? settings.banner).theme === 'auto';
  const key = (...rest: string[]) => keys.site(token, 'preview', unsaved, ...rest);
  const plain = useAnswer(key(), (api, signal) => api.previewBundle({ token, body: make() }, { signal }), {
    keep: true,
  });
  // A banner that follows the visitor's system is shown as the one that it would be there.
  const themed = useAnswer(
    key(surroundings),
    (api, signal) =>
      api.previewBundle(
        { token, body: make(surroundings === 'system' ? undefined : surroundings) },
        { signal },
      ),
    { keep: true, enabled: isAuto && surroundings !== 'system' },
  );
  const chosen = isAuto && surroundings !== 'system' ? themed : plain;
  return { plain, chosen, published, isAuto };
}

/** The value as it was when it last stayed the same for a while. */
function useSettled<Value extends object>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
