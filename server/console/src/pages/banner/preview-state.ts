import { useState } from 'react';
import type { BannerDraft, toPatch } from './draft';
import { type Mode, usePreview } from './use-preview';

/** The preview, its language, and its light or dark mode. */
export function usePreviewState(
  patch: ReturnType<typeof toPatch>,
  { default_language, languages }: BannerDraft,
) {
  const [mode, setMode] = useState<Mode>('system');
  const [chosen, setLanguage] = useState(default_language);
  const { plain, chosen: query, published, isAuto } = usePreview(patch, mode);
  return {
    query,
    isAuto,
    mode,
    setMode,
    language: languages.includes(chosen) ? chosen : default_language,
    languages,
    setLanguage,
    config: plain.data?.config,
    warnings: published.data?.warnings ?? [],
    bytes: published.data?.gzip_bytes,
  };
}

export type PreviewState = ReturnType<typeof usePreviewState>;
