import './preview-frame.css';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { isStateMessage, type ShowMessage, type Shown } from '../preview-message';
import { Segments } from './segments';
import { useWidth } from './use-width';

type Device = 'desktop' | 'mobile';

/** The windows that a banner is previewed in, in CSS pixels. */
const WINDOWS = { desktop: [1024, 680], mobile: [390, 780] } as const;
const DEVICES: readonly (readonly [Device, string])[] = [
  ['desktop', 'Desktop'],
  ['mobile', 'Phone'],
];
const LAYERS: readonly (readonly [Shown['layer'], string])[] = [
  ['banner', 'First layer'],
  ['settings', 'Settings'],
];
/** The maximum height of a preview, in CSS pixels. */
const MAX_HEIGHT = 620;

interface Props extends Partial<Shown> {
  /** Undefined while it is loading; its space is kept. */
  script: string | undefined;
  language: string;
  title: string;
  /** Called when the banner is shown. */
  onShown?: () => void;
}

/**
 * Runs a banner's script in a frame that reaches no server and stores nothing: both layers, in a window of
 * desktop or phone width. Every change makes a new frame.
 */
export function PreviewFrame({
  script,
  language,
  title,
  layer: first = 'banner',
  vendors = [],
  texts = {},
  rule,
  onShown,
}: Props) {
  const [device, setDevice] = useState<Device>(() => (innerWidth < 640 ? 'mobile' : 'desktop'));
  const [layer, setLayer] = useState<Shown['layer']>(first);
  const [ref, room] = useWidth(480);
  const [width, height] = WINDOWS[device];
  const scale = Math.min(1, room / width, MAX_HEIGHT / height);
  // The style sheet calculates with these, also for print.
  const sizes = { '--width': width, '--height': height, '--room': scale } as CSSProperties;
  return (
    <div className="preview" ref={ref} style={sizes}>
      <div className="row between">
        <Segments label="Layer" options={LAYERS} value={layer} onChange={setLayer} />
        <Segments label="Window" options={DEVICES} value={device} onChange={setDevice} />
      </div>
      <div className="preview-stage">
        {script !== undefined && (
          <Frame
            key={`${device} ${layer} ${language} ${rule} ${script}`}
            title={title}
            shown={{ script, language, layer, vendors, texts, ...(rule && { rule }) }}
            onShown={onShown}
          />
        )}
      </div>
    </div>
  );
}

function Frame({
  title,
  shown,
  onShown,
}: {
  title: string;
  shown: Shown;
  onShown: (() => void) | undefined;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(shown);
  const tell = useRef(onShown);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      const target = frame.current?.contentWindow;
      if (target == null || source !== target || !isStateMessage(data)) return;
      if (data.avowPreviewState === 'shown') {
        setShown(true);
        tell.current?.();
      }
      // The frame has an opaque origin, so that no target origin can be given.
      else target.postMessage({ avowPreview: latest.current } satisfies ShowMessage, '*');
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
  return (
    <iframe
      ref={frame}
      title={title}
      src={`${import.meta.env.BASE_URL}preview`}
      sandbox="allow-scripts"
      data-state={isShown ? 'shown' : 'waiting'}
    />
  );
}
