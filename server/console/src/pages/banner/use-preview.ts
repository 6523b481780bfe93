import { useEffect, useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';

export type Preview = Schemas['BundlePreview'];
export type Mode = 'system' | 'light' | 'dark';

/** How long to wait after the last change before the preview is generated again, in milliseconds. */
const PAUSE = 500;

/** The bundle of unsaved settings, with the texts of all languages. */
export function usePreview(patch: Schemas['SettingsPatch'], mode: Mode) {
  const { token, settings } = useSite();
  const unsaved = useSettled(patch);
  const make = (theme?: 'light' | 'dark') => ({
    settings: unsaved,
    texts: 'all' as const,
    ...(theme && { theme }),
  });
  // Visitors load a bundle with the texts of one language: its size and warnings are those of this one.
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
  // A banner that follows the visitor's system is shown in the chosen mode.
  const themed = useAnswer(
    key(mode),
    (api, signal) =>
      api.previewBundle({ token, body: make(mode === 'system' ? undefined : mode) }, { signal }),
    { keep: true, enabled: isAuto && mode !== 'system' },
  );
  const chosen = isAuto && mode !== 'system' ? themed : plain;
  return { plain, chosen, published, isAuto };
}

/** The value after it has not changed for a while. */
export function useSettled<Value extends object>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
