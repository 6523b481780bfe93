import { useState } from 'react';
import { useSite } from '../../app/site';
import { Alert, Button, Card, ConfirmDialog, Form, NumberField, RadioGroup } from '../../ui';
import { ColourFields } from '../banner/colour-fields';
import { DesignFields } from '../banner/design-fields';
import type { Editor as BannerEditor } from '../banner/draft';
import { PlaceFields } from '../banner/place-fields';
import { WarningsContext } from '../banner/warnings';
import { Previews } from './previews';
import { Texts } from './texts';
import { usePreviewOf } from './use-preview-of';
import { useTest } from './use-test';
import { type TestDraft, toBanner } from './version-b';

const AT = 'settings.banner_test';
const AIMS = [
  ['decisions', 'More decisions', 'The share of impressions that end in a decision, whichever.'],
  ['accept_all', 'More that accept all', 'The share of impressions that end with everything accepted.'],
] as const satisfies readonly (readonly [TestDraft['aim'], string, string])[];

/** What is asked before it is done. */
type Question = 'anew' | 'keep_a' | 'keep_b';

/** Version B, the plan, both versions side by side, and starting and ending. */
export function Editor({
  isRunning,
  isAsTested,
}: {
  isRunning: boolean;
  /** Whether what is saved is what was tested: only then is version B here that of the test. */
  isAsTested: boolean;
}) {
  const { settings } = useSite();
  const { draft, action, end, start, keepA, keepB } = useTest();
  const { value, set } = draft;
  const [asked, ask] = useState<Question>();
  const setBanner: BannerEditor['setBanner'] = (part) => set({ banner: { ...value.banner, ...part } });
  const editor = {
    value: { banner: value.banner },
    setBanner,
    at: `${AT}.banner`,
  } as unknown as BannerEditor;
  const a = usePreviewOf(settings.banner);
  const b = usePreviewOf(toBanner(value));
  const done = () => ask(undefined);
  const answers: Record<Question, () => void> = { anew: start, keep_a: keepA, keep_b: keepB };
  const { title, confirm, text } = QUESTIONS[asked ?? 'anew'];
  return (
    // The warnings of version B, at the fields of version B.
    <WarningsContext value={(b.data?.warnings ?? []).map((one) => ({ ...one, path: pathInB(one.path) }))}>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={title}
        confirm={confirm}
        action={asked === 'anew' ? action : end}
        onConfirm={() => {
          answers[asked ?? 'anew']();
          done();
        }}
        onCancel={done}
      >
        <p>{text}</p>
        <p>It publishes the banner, with everything that is saved.</p>
      </ConfirmDialog>
      <Previews a={a} b={b} />
      {isRunning && !isAsTested && (
        <Alert tone="warn">
          What is saved is no longer what the running test shows, and publishing it ends the test. Version B
          cannot be kept from here: save it as it was tested first.
        </Alert>
      )}
      {end.error !== null && <Alert tone="bad">{end.error.message}</Alert>}
      <Form
        action={action}
        dirty={draft.dirty}
        clashes={draft.clashes}
        submit={isRunning ? 'Start anew' : 'Start the test'}
        isDisabled={isRunning && !draft.dirty}
        onSubmit={() => (isRunning ? ask('anew') : start())}
        extra={
          isRunning && (
            <>
              <Button isDisabled={end.pending} onPress={() => ask('keep_a')}>
                End, keep A
              </Button>
              <Button isDisabled={end.pending || draft.dirty || !isAsTested} onPress={() => ask('keep_b')}>
                End, keep B
              </Button>
            </>
          )
        }
      >
        <Plan value={value} set={set} />
        <Card title="Layout of version B">
          <PlaceFields editor={editor} />
        </Card>
        <ColourFields editor={editor} derived={b.data?.config.dark_colours} />
        <DesignFields editor={editor} />
        <Texts texts={value.texts} usual={a.data?.config.texts} onChange={(texts) => set({ texts })} />
      </Form>
    </WarningsContext>
  );
}

const pathInB = (path: string): string => path.replace(/^settings\.banner\b/, `${AT}.banner`);

const QUESTIONS: Record<Question, { title: string; confirm: string; text: string }> = {
  anew: {
    title: 'Start the test anew?',
    confirm: 'Start anew',
    text: 'The test that runs ends; its figures stay below. What was counted says nothing of other versions or another plan, so the new test counts from zero.',
  },
  keep_a: {
    title: 'End the test and keep version A?',
    confirm: 'End, keep A',
    text: 'Every visitor is shown version A again, but for pages with a pinned snippet of the test: these go on with both versions, uncounted, until you replace it. The figures stay below.',
  },
  keep_b: {
    title: 'End the test and keep version B?',
    confirm: 'End, keep B',
    text: 'Version B becomes the banner that every visitor is shown. Pages with a pinned snippet of the test go on with both versions, uncounted, until you replace it. Version A stays among the earlier settings. The figures stay below.',
  },
};

function Plan({ value, set }: { value: TestDraft; set: (part: Partial<TestDraft>) => void }) {
  return (
    <Card title="Plan">
      <NumberField
        label="Share of version B"
        description="Percent of page views, 10 to 90. With 50, the test is over soonest."
        name={`${AT}.share`}
        isRequired
        value={value.share}
        onChange={(share) => set({ share })}
      />
      <RadioGroup
        label="Aim"
        name={`${AT}.aim`}
        options={AIMS}
        value={value.aim}
        onChange={(aim) => set({ aim })}
      />
      <NumberField
        label="Smallest difference worth finding"
        description="Percentage points, 1 to 30. Half of it needs four times as many impressions."
        name={`${AT}.smallest_difference`}
        isRequired
        value={value.smallest_difference}
        onChange={(smallest_difference) => set({ smallest_difference })}
      />
    </Card>
  );
}
