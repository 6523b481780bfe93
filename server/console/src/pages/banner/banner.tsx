import { lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, ConfirmDialog, Form, Loading, PageHeader, useDraft, useVersion } from '../../ui';
import style from './banner.module.css';
import { ColourFields } from './colour-fields';
import { doubtsOf } from './doubts';
import { type BannerDraft, type Editor, toDraft, toPatch } from './draft';
import { EndsTest, endingOf } from './ends-test';
import { Languages } from './languages';
import { LookFields } from './look-fields';
import { LookList } from './look-list';
import { PolicyLinks } from './policy-links';
import { PreviewPane } from './preview-pane';
import { usePreviewState } from './preview-state';
import { BannerSections } from './sections';
import { WarningsContext } from './warnings';

/** Only where the address names a version. */
const RestoredVersion = lazy(async () => ({ default: (await import('./restored-version')).RestoredVersion }));
/** Only for users who may not edit. */
const PublishedPane = lazy(async () => ({
  default: (await import('./published-pane')).PublishedPane,
}));
/** Far down the page. */
const DesignFields = lazy(async () => ({ default: (await import('./design-fields')).DesignFields }));
const Texts = lazy(async () => ({ default: (await import('./texts')).Texts }));

/** Edits the banner's look and texts, with a preview beside it. */
export default function BannerPage() {
  const { may } = useSite();
  return (
    <>
      <PageHeader title="Banner">
        What visitors see. The preview shows changes at once; visitors get them when you publish.
      </PageHeader>
      <BannerSections />
      {may('owner') ? (
        <OwnerView />
      ) : (
        <Suspense fallback={<Loading />}>
          <PublishedPane />
        </Suspense>
      )}
    </>
  );
}

function OwnerView() {
  const site = useSite();
  const [params] = useSearchParams();
  const draft = useDraft<BannerDraft>(toDraft(site));
  const { value, set } = draft;
  const editor: Editor = { value, set, setBanner: (part) => set({ banner: { ...value.banner, ...part } }) };
  const patch = toPatch(value, draft.base);
  const preview = usePreviewState(patch, value);
  const [ending, setEnding] = useState<string>();
  const { save, submit } = useSave(draft, setEnding);
  const [asked, ask] = useState<{ publish: boolean }>();
  const doubts = doubtsOf(value.banner);
  const send = (publish: boolean) => {
    ask(undefined);
    submit(patch, publish);
  };
  const submitOrAsk = (publish: boolean) => (doubts.length > 0 ? ask({ publish }) : send(publish));
  return (
    <WarningsContext value={preview.warnings}>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title="Visitors may not be able to decide"
        confirm={asked?.publish ? 'Publish anyway' : 'Save anyway'}
        onConfirm={() => send(asked?.publish === true)}
        onCancel={() => ask(undefined)}
      >
        <ul>
          {doubts.map((doubt) => (
            <li key={doubt}>{doubt}</li>
          ))}
        </ul>
        <p>Consent is only valid if it was given freely and knowingly (GDPR Art. 4(11)).</p>
      </ConfirmDialog>
      <EndsTest
        ending={ending}
        onConfirm={() => {
          setEnding(undefined);
          submit(patch, true, true);
        }}
        onCancel={() => setEnding(undefined)}
      />
      {params.has('version') && (
        <Suspense fallback={<Loading lines={3} />}>
          <RestoredVersion draft={draft} />
        </Suspense>
      )}
      <div className={style.bannerPage}>
        <Form
          action={save}
          dirty={draft.dirty}
          clashes={draft.clashes}
          submit="Save"
          onSubmit={() => submitOrAsk(false)}
          extra={
            <Button isDisabled={save.pending} onPress={() => submitOrAsk(true)}>
              {draft.dirty ? 'Save and publish' : 'Publish'}
            </Button>
          }
        >
          <LookList editor={editor} />
          <LookFields editor={editor} />
          <ColourFields editor={editor} derived={preview.config?.dark_colours} />
          <Suspense fallback={<Loading lines={6} />}>
            <DesignFields editor={editor} />
          </Suspense>
          <Languages editor={editor} />
          <Suspense fallback={<Loading lines={6} />}>
            <Texts
              editor={editor}
              shown={preview.config?.texts}
              onLanguage={preview.setLanguage}
              error={save.error}
            />
            <PolicyLinks editor={editor} />
          </Suspense>
        </Form>
        <PreviewPane preview={preview} />
      </div>
    </WarningsContext>
  );
}

type Patch = ReturnType<typeof toPatch>;

interface Save {
  settings: Patch;
  basedOn: number;
  publish: boolean;
  /** That a test which runs may end. */
  isSure: boolean;
}

/** Saves the changes, and publishes the banner if requested. Does neither where that would end a test, and says so. */
function useSave(
  draft: ReturnType<typeof useDraft<BannerDraft>>,
  onEnding: (ending: string | undefined) => void,
) {
  const site = useSite();
  const { token, path } = site;
  const navigate = useNavigate();
  const save = useAction(
    async (api, { settings, basedOn, publish, isSure }: Save) => {
      const ending = publish && !isSure ? await endingOf(api, token, settings) : undefined;
      if (ending !== undefined) return { published: false, ending };
      const body = { settings, expected_settings_version: basedOn };
      if (Object.keys(settings).length > 0) await api.updateEnvironment({ token, body });
      if (publish) await api.generateBundle({ token });
      return { published: publish };
    },
    {
      success: ({ published, ending }) =>
        ending !== undefined ? undefined : published ? 'Banner published' : 'Banner saved',
      changes: [keys.site(token), keys.sites],
      onDone: ({ published, ending }) => {
        onEnding(ending);
        if (ending !== undefined) return;
        draft.saved(draft.value);
        if (published) void navigate(path('banner/published'));
      },
    },
  );
  const basedOn = useVersion(draft, toDraft(site), site.settings_version, save.error);
  const submit = (settings: Patch, publish: boolean, isSure = false) =>
    save.run({ settings, basedOn, publish, isSure });
  return { save, submit };
}
