import { useState } from 'react';
import type { BannerDraft, toPatch } from './draft';
import { type Surroundings, usePreview } from './use-preview';

/** The preview and how it is looked at: in which language, and in which surroundings. */
export function usePreviewState(
  patch: ReturnType<typeof toPatch>,
  { default_language, languages }: BannerDraft,
) {
  const [surroundings, setSurroundings] = useState<Surroundings>('system');
  const [chosen, setLanguage] = useState(default_language);
  const { plain, chosen: query, published, isAuto } = usePreview(patch, surroundings);
  return {
    query,
    isAuto,
    surroundings,
    setSurroundings,
    language: languages.includes(chosen) ? chosen : default_language,
    languages,
    setLanguage,
    config: plain.data?.config,
    warnings: published.data?.warnings ?? [],
    bytes: published.data?.gzip_bytes,
  };
}

export type PreviewState = ReturnType<typeof usePreviewState>;
