import { NumberField, Switch, TextField } from '../../ui';
import type { Banner, Editor } from './draft';

type Cookie = NonNullable<Banner['cookie']>;

const PATH = 'settings.banner.cookie';

/** A cookie of the site that repeats the decision; what is left empty has the default. */
export function CookieFields({ editor: { value, setBanner } }: { editor: Editor }) {
  const { cookie } = value.banner;
  const set = (part: { [Key in keyof Cookie]?: Cookie[Key] | undefined }) => {
    const all = Object.entries({ ...cookie, ...part }).filter(([, one]) => one !== undefined);
    setBanner({ cookie: Object.fromEntries(all) });
  };
  return (
    <>
      <Switch
        label="A cookie that repeats the decision"
        hint="Subdomains share it, and your server can read it."
        name={PATH}
        value={cookie !== undefined}
        onChange={(isOn) => setBanner({ cookie: isOn ? {} : undefined })}
      />
      {cookie !== undefined && (
        <>
          <TextField
            label="Domain whose subdomains share it"
            description="Such as example.com. Without one, each host has its own."
            name={`${PATH}.domain`}
            value={cookie.domain ?? ''}
            onChange={(domain) => set({ domain: domain.trim() || undefined })}
          />
          <TextField
            label="Name of the cookie"
            description="Where subdomains belong to others: no domain, and __Host-avow_consent, which only this host can set (https)."
            name={`${PATH}.name`}
            placeholder="avow_consent"
            value={cookie.name ?? ''}
            onChange={(name) => set({ name: name.trim() || undefined })}
          />
          <NumberField
            label="Days until the browser deletes it"
            description="1 to 400, counted anew on each visit."
            name={`${PATH}.days`}
            value={cookie.days}
            onChange={(days) => set({ days })}
          />
        </>
      )}
    </>
  );
}
