import type { Schemas, Site } from '../../app/data';
import type { useDraft } from '../../ui';

export type Banner = Schemas['Banner'];
export type Colours = Schemas['BannerColours'];
type Patch = Schemas['SettingsPatch'];

/** The settings that this page edits. */
export interface BannerDraft {
  banner: Banner;
  languages: string[];
  default_language: string;
  privacy_policy_url: string;
  imprint_url: string;
}

/** The draft, with a shortcut to change the banner. */
export interface Editor {
  value: BannerDraft;
  set: ReturnType<typeof useDraft<BannerDraft>>['set'];
  setBanner: (part: Partial<Banner>) => void;
  /** The path of the banner in the request body; default `settings.banner`. */
  at?: string;
}

export const toDraft = ({ settings }: Site): BannerDraft => ({
  banner: settings.banner,
  languages: settings.languages,
  default_language: settings.default_language,
  privacy_policy_url: settings.privacy_policy_url ?? '',
  imprint_url: settings.imprint_url ?? '',
});

/** Only the changed parts, so that two users who change different things do not undo each other's work. */
export function toPatch(draft: BannerDraft, saved: BannerDraft): Patch {
  const url = (text: string) => (text.trim() === '' ? null : text.trim());
  const all: Patch = {
    ...{ banner: draft.banner, languages: draft.languages, default_language: draft.default_language },
    privacy_policy_url: url(draft.privacy_policy_url),
    imprint_url: url(draft.imprint_url),
  };
  const isChanged = (key: string) =>
    JSON.stringify(draft[key as keyof BannerDraft]) !== JSON.stringify(saved[key as keyof BannerDraft]);
  return Object.fromEntries(Object.entries(all).filter(([key]) => isChanged(key)));
}
