import { keys, type Schemas, type Site, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import {
  Alert,
  Card,
  Checkbox,
  CheckboxGroup,
  Form,
  Link,
  PageHeader,
  QueryState,
  Select,
  Switch,
} from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
import { useVendors } from '../vendors/list';
import style from './banner.module.css';
import { BannerSections } from './sections';
import { useSettled } from './use-preview';
import { useSettingsForm } from './use-settings-form';

type Activity = 'sale' | 'sharing' | 'targeted_advertising';

interface Draft {
  isOn: boolean;
  sections: Schemas['GppSections'];
  mspa: Schemas['GppMspa'] | 'none';
  /** The owner's statement that notices are given. */
  notices: boolean;
  does: Record<Activity, boolean>;
  /** Categories that stand for each. */
  categories: Record<Activity, string[]>;
}

/** What it is called, in a sentence, and what else is to be said. */
const ACTIVITIES: readonly (readonly [Activity, string, string, string])[] = [
  [
    'sale',
    'sale',
    'The site sells personal data',
    'Also for something else than money, as most laws have it.',
  ],
  [
    'sharing',
    'sharing',
    'The site shares personal data for advertising on other sites',
    'California’s word for it.',
  ],
  [
    'targeted_advertising',
    'targeted advertising',
    'The site targets advertising by personal data',
    'The word of most other states.',
  ],
];
const SECTIONS: readonly (readonly [Draft['sections'], string])[] = [
  ['us_states', 'That of the visitor’s state'],
  ['us_national', 'The national one for every state (signatories of the MSPA)'],
];
const MSPA: readonly (readonly [Draft['mspa'], string])[] = [
  ['none', 'Not a signatory'],
  ['opt_out_option', 'Opt-out option mode'],
  ['service_provider', 'Service provider mode'],
];

/** What a visitor can refuse. */
const optionalOf = ({ settings }: Site): string[] =>
  settings.categories.filter(({ required }) => !required).map(({ key }) => key);

function toDraft(site: Site): Draft {
  const { gpp } = site.settings;
  const keysOf = (name: Activity): string[] => gpp?.categories?.[name] ?? optionalOf(site);
  return {
    isOn: gpp != null,
    sections: gpp?.sections ?? 'us_states',
    mspa: gpp?.mspa ?? 'none',
    notices: gpp?.notices ?? false,
    does: {
      sale: gpp?.sale ?? true,
      sharing: gpp?.sharing ?? true,
      targeted_advertising: gpp?.targeted_advertising ?? true,
    },
    categories: {
      sale: keysOf('sale'),
      sharing: keysOf('sharing'),
      targeted_advertising: keysOf('targeted_advertising'),
    },
  };
}

/** Names categories only where they are not simply all. */
function toSettings(
  { isOn, sections, mspa, notices, does, categories }: Draft,
  site: Site,
): Schemas['SettingsPatch'] {
  if (!isOn) return { gpp: null };
  const all = optionalOf(site);
  const named = ACTIVITIES.flatMap(([key]) =>
    does[key] && all.some((one) => !categories[key].includes(one)) ? [[key, categories[key]] as const] : [],
  );
  return {
    gpp: {
      sections,
      ...does,
      ...(named.length > 0 && { categories: Object.fromEntries(named) }),
      ...(mspa !== 'none' && { mspa }),
      ...(notices && { notices }),
    },
  };
}

/** The IAB's Global Privacy Platform on the site: what it says of a visitor in the United States. */
export default function GppPage() {
  const { may } = useSite();
  return (
    <>
      <PageHeader title="IAB GPP">
        Advertisers read from the Global Privacy Platform’s string whether a visitor in the United States has
        opted out.
      </PageHeader>
      <BannerSections />
      {may('owner') ? <Editor /> : <Alert>Only owners can change this.</Alert>}
    </>
  );
}

function Editor() {
  const { settings, path } = useSite();
  const { value, set, form } = useSettingsForm({
    toDraft,
    toSettings,
    success: 'GPP saved; visitors get it when you publish the banner',
  });
  const hasRules = settings.regions != null;
  return (
    <div className={style.bannerPage}>
      <Form {...form}>
        <Card title="Platform">
          <Switch
            label="Give vendors a GPP string"
            hint="Replace the snippet in your pages when you switch it on: it holds a stub that answers first."
            name="settings.gpp"
            value={value.isOn}
            isDisabled={!hasRules && !value.isOn}
            onChange={(isOn) => set({ isOn })}
          />
          {!hasRules && (
            <Alert>
              It needs rules by region, which say where visitors may opt out.{' '}
              <Link to={path('banner/regions')}>Regions</Link>
            </Alert>
          )}
          {value.isOn && (
            <>
              <Select
                label="Section"
                description="The national one is for transactions that the IAB’s Multi-State Privacy Agreement covers; from others, vendors may disregard it. States are known by a header or a database of your server alone; otherwise visitors get the national one."
                name="settings.gpp.sections"
                isRequired
                options={SECTIONS}
                value={value.sections}
                onChange={(sections) => set({ sections })}
              />
              <Select
                label="Multi-State Privacy Agreement"
                description="Only for signatories of the IAB’s agreement (MSPA). In service provider mode a site neither sells, shares nor targets advertising."
                name="settings.gpp.mspa"
                isRequired
                options={MSPA}
                value={value.mspa}
                onChange={(mspa) => set({ mspa })}
              />
            </>
          )}
        </Card>
        {value.isOn && <Activities value={value} set={set} />}
      </Form>
      {value.isOn && hasRules && <Preview draft={value} />}
    </div>
  );
}

/** What the site does, and by which categories visitors object to it. */
function Activities({ value, set }: { value: Draft; set: (part: Partial<Draft>) => void }) {
  const { categories } = useSite().settings;
  const options = categories.filter(({ required }) => !required).map(({ key, name }) => [key, name] as const);
  return (
    <Card title="What visitors can opt out of">
      {ACTIVITIES.map(([key, name, label, hint]) => (
        <div key={key}>
          <Switch
            label={label}
            hint={hint}
            name={`settings.gpp.${key}`}
            value={value.does[key]}
            onChange={(does) => set({ does: { ...value.does, [key]: does } })}
          />
          {value.does[key] && (
            <CheckboxGroup
              label={`Whoever has refused one of these has opted out of ${name}`}
              name={`settings.gpp.categories.${key}`}
              options={options}
              value={value.categories[key]}
              onChange={(keysNow) => set({ categories: { ...value.categories, [key]: keysNow } })}
            />
          )}
        </div>
      ))}
      <Checkbox
        label="The site tells visitors, in a notice at collection and with a link in each page’s footer, that it sells, shares or uses for targeted advertising"
        hint="Only when it is so: a cookie banner by itself is not enough. Without it the string says that no notice is given, and that everybody has opted out."
        name="settings.gpp.notices"
        value={value.notices}
        onChange={(notices) => set({ notices })}
      />
    </Card>
  );
}

/** The banner as a visitor sees it who may opt out. */
function Preview({ draft }: { draft: Draft }) {
  const site = useSite();
  const { token, settings: saved } = site;
  const settings = useSettled(toSettings(draft, site));
  const vendors = useVendors().data?.vendors ?? [];
  const query = useAnswer(
    keys.site(token, 'preview', settings, 'gpp'),
    (api, signal) => api.previewBundle({ token, body: { settings } }, { signal }),
    { keep: true },
  );
  const warnings = query.data?.warnings.filter(({ code }) => code.startsWith('gpp_')) ?? [];
  const frame = { language: saved.default_language, title: 'The banner' };
  return (
    <aside className={style.bannerPreview} aria-label="Preview">
      <Card title="Preview">
        <QueryState query={query} loading={<PreviewFrame script={undefined} {...frame} />}>
          {({ script }) => <PreviewFrame script={script} rule="opt_out" vendors={vendors} {...frame} />}
        </QueryState>
      </Card>
      {warnings.map(({ message }) => (
        <Alert key={message} tone="warn" live>
          {message}
        </Alert>
      ))}
    </aside>
  );
}
