import { Name } from '#ui/base/Name.tsx';
import { CloseIcon } from '#ui/base/icons.tsx';
import { savedUrl, useImageUrl } from '#ui/image/useImageUrl.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { useLive } from '../base/Picture.ts';
import type { FoundImage } from './findImage.ts';
import type { ViewerAct } from './viewerAct.ts';

/** The length of the name that is shown, in UTF-16 units. */
const TITLE_LENGTH = 60;

interface Props {
  readonly image: FoundImage;
  readonly name: string;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly perform: (act: ViewerAct) => void;
}

/** Shows the image's name and the buttons of the viewer. */
export function ViewerBar({ image, name, hasPrevious, hasNext, perform }: Props) {
  const url = useImageUrl(image.blob, image.place) ?? savedUrl(image.blob, image.place);
  const live = useLive();
  return (
    <div className="viewer-bar">
      <h2 dir="auto" title={name} aria-live={live}>
        <Name text={name} length={TITLE_LENGTH} />
      </h2>
      <SignButton
        label="Previous image"
        sign="‹"
        isEnabled={hasPrevious}
        onPress={() => perform('previous')}
      />
      <SignButton label="Next image" sign="›" isEnabled={hasNext} onPress={() => perform('next')} />
      <SignButton label="Zoom out" sign="−" onPress={() => perform('zoomOut')} />
      <SignButton label="Zoom in" sign="+" onPress={() => perform('zoomIn')} />
      <button type="button" className="quiet" onClick={() => perform('fit')}>
        Fit
      </button>
      {url !== null && (
        <a
          className="quiet"
          href={url}
          download={safeFileName(image.name)}
          aria-label="Save image"
          title="Save image"
        >
          Save
        </a>
      )}
      <button
        type="button"
        className="quiet"
        aria-label="Close"
        title="Close"
        onClick={() => perform('close')}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly isEnabled?: boolean;
  readonly onPress: () => void;
}

/** Shows a button with a sign. */
const SignButton = ({ label, sign, isEnabled = true, onPress }: ButtonProps) => (
  <button
    type="button"
    className="quiet"
    aria-label={label}
    title={label}
    disabled={!isEnabled}
    onClick={onPress}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
);
