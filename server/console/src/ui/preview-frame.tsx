import './preview-frame.css';
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isStateMessage, type ShowMessage, type Shown } from '../preview-message';
import { Segments } from './segments';

type Device = 'desktop' | 'mobile';

/** The windows that a banner is looked at in, in CSS pixels. */
const WINDOWS = { desktop: [1024, 680], mobile: [390, 780] } as const;
const DEVICES: readonly (readonly [Device, string])[] = [
  ['desktop', 'Desktop'],
  ['mobile', 'Telephone'],
];
const LAYERS: readonly (readonly [Shown['layer'], string])[] = [
  ['banner', 'First layer'],
  ['settings', 'Settings'],
];
/** Nothing is higher than this on a page of the console, in CSS pixels. */
const HIGHEST = 620;

interface Props extends Partial<Omit<Shown, 'layer'>> {
  /** Undefined while it is on its way: its room is kept. */
  script: string | undefined;
  language: string;
  title: string;
  /** Called when the banner stands. */
  onShown?: () => void;
}

/**
 * A banner's script at work in a frame that reaches no server and stores nothing: both layers, in a window as
 * wide as a desktop's or a telephone's. Every change makes a new frame.
 */
export function PreviewFrame({ script, language, title, vendors = [], texts = {}, onShown }: Props) {
  const [device, setDevice] = useState<Device>(() => (innerWidth < 640 ? 'mobile' : 'desktop'));
  const [layer, setLayer] = useState<Shown['layer']>('banner');
  const [ref, room] = useWidth();
  const [width, height] = WINDOWS[device];
  const scale = Math.min(1, room / width, HIGHEST / height);
  // The stylesheet reckons with them, for a sheet of paper too.
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
            key={`${device} ${layer} ${language} ${script}`}
            title={title}
            shown={{ script, language, layer, vendors, texts }}
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
      // It has an origin of its own, so that none can be named.
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

/** The width of the element, followed. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(480);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    // Before anything is drawn, so that nothing moves.
    setWidth(Math.round(element.getBoundingClientRect().width));
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
