import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import type { Banner } from '../banner/draft';
import { useSettled } from '../banner/use-preview';

/** One version by itself, with the texts of all languages. */
export function usePreviewOf(banner: Banner) {
  const { token } = useSite();
  const settings = useSettled({ banner, banner_test: null });
  return useAnswer(
    keys.site(token, 'preview', settings, 'version'),
    (api, signal) => api.previewBundle({ token, body: { settings, texts: 'all' } }, { signal }),
    { keep: true },
  );
}
