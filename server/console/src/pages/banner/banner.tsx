import { useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, ConfirmDialog, Form, PageHeader, useDraft, useVersion } from '../../ui';
import { SubNav } from '../../ui/sub-nav';
import style from './banner.module.css';
import { ColourFields } from './colour-fields';
import { doubtsOf } from './doubts';
import { type BannerDraft, type Editor, toDraft, toPatch } from './draft';
import { Languages } from './languages';
import { LookFields } from './look-fields';
import { PolicyLinks } from './policy-links';
import { PreviewPane } from './preview-pane';
import { usePreviewState } from './preview-state';
import { PublishedPane } from './published-pane';
import { Texts } from './texts';
import { WarningsContext } from './warnings';

/** The banner's look and texts, beside the banner itself. */
export default function BannerPage() {
  const { path, may } = useSite();
  return (
    <>
      <PageHeader title="Banner">
        What visitors see. Changes are in the preview at once; visitors get them when you publish.
      </PageHeader>
      <SubNav
        label="Banner"
        links={[
          [path('banner'), 'Design and texts'],
          [path('banner/published'), 'Published banners'],
        ]}
      />
      {may('owner') ? <OwnerView /> : <ReaderView />}
    </>
  );
}

/** Who may not edit sees what visitors see. */
function ReaderView() {
  return (
    <>
      <Alert>Only owners change the banner. This is what visitors get at present.</Alert>
      <PublishedPane />
    </>
  );
}

function OwnerView() {
  const site = useSite();
  const draft = useDraft<BannerDraft>(toDraft(site));
  const { value, set } = draft;
  const editor: Editor = { value, set, setBanner: (part) => set({ banner: { ...value.banner, ...part } }) };
  const patch = toPatch(value, draft.base);
  const preview = usePreviewState(patch, value);
  const { save, submit } = useSave(draft);
  const [asked, ask] = useState<{ publish: boolean }>();
  const doubts = doubtsOf(value.banner);
  const send = (publish: boolean) => {
    ask(undefined);
    submit(patch, publish);
  };
  const begin = (publish: boolean) => (doubts.length > 0 ? ask({ publish }) : send(publish));
  return (
    <WarningsContext value={preview.warnings}>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title="Visitors may not be able to decide"
        confirm={asked?.publish ? 'Publish all the same' : 'Save all the same'}
        onConfirm={() => send(asked?.publish === true)}
        onCancel={() => ask(undefined)}
      >
        <ul>
          {doubts.map((doubt) => (
            <li key={doubt}>{doubt}</li>
          ))}
        </ul>
        <p>A consent that was not freely and knowingly given is none (GDPR Art. 4(11)).</p>
      </ConfirmDialog>
      <div className={style.bannerPage}>
        <Form
          action={save}
          dirty={draft.dirty}
          clashes={draft.clashes}
          submit="Save"
          onSubmit={() => begin(false)}
          extra={
            <Button isDisabled={save.pending} onPress={() => begin(true)}>
              {draft.dirty ? 'Save and publish' : 'Publish'}
            </Button>
          }
        >
          <LookFields editor={editor} />
          <ColourFields editor={editor} derived={preview.config?.dark_colours} />
          <Languages editor={editor} />
          <Texts
            editor={editor}
            shown={preview.config?.texts}
            onLanguage={preview.setLanguage}
            error={save.error}
          />
          <PolicyLinks editor={editor} />
        </Form>
        <PreviewPane preview={preview} />
      </div>
    </WarningsContext>
  );
}

type Patch = ReturnType<typeof toPatch>;

/** Saves what has changed, and publishes the banner when asked to. */
function useSave(draft: ReturnType<typeof useDraft<BannerDraft>>) {
  const site = useSite();
  const { token, path } = site;
  const navigate = useNavigate();
  const save = useAction(
    async (api, { settings, upon, publish }: { settings: Patch; upon: number; publish: boolean }) => {
      const body = { settings, expected_settings_version: upon };
      if (Object.keys(settings).length > 0) await api.updateEnvironment({ token, body });
      if (publish) await api.generateBundle({ token });
      return publish;
    },
    {
      success: (published) => (published ? 'Banner published' : 'Banner saved'),
      changes: [keys.site(token), keys.sites],
      onDone: (published) => {
        draft.saved(draft.value);
        if (published) void navigate(path('banner/published'));
      },
    },
  );
  const upon = useVersion(draft, toDraft(site), site.settings_version, save.error);
  return { save, submit: (settings: Patch, publish: boolean) => save.run({ settings, upon, publish }) };
}
